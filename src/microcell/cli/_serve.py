"""microcell app: the page that takes a table to its release."""

from __future__ import annotations

import typer

from microcell.cli._options import parameter, several, switch, with_options


@with_options(
    parameter(
        "port", "Port to listen at; by default one that is free.", type=int, default=0
    ),
    switch("no_browser", "Only print the address to open."),
    several(
        "folder",
        "A folder whose files may be opened where they are (repeat the option); others "
        "are uploaded.",
        metavar="FOLDER",
    ),
    parameter(
        "upload_limit",
        "Largest file that may be uploaded.",
        type=str,
        default="2GB",
        metavar="SIZE",
    ),
    names=(),
)
def app_command(
    port: int, no_browser: bool, folder: list[str] | None, upload_limit: str
) -> None:
    """Open a page in the browser that takes a file to its release."""
    from microcell._bytes import as_bytes
    from microcell.cli._signals import leave_to_program
    from microcell.io import needed

    for module in ("fastapi", "uvicorn"):
        needed(module, "app", "Pages in the browser")
    from microcell.app import Settings, serve

    settings = Settings(
        port=port,
        folders=folder or (),
        upload_limit=as_bytes(upload_limit, "upload_limit") or 0,
    )
    leave_to_program()
    serve(settings, browser=not no_browser, say=typer.echo)
    typer.echo("microcell has ended.")
