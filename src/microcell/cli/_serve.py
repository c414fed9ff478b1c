"""microcell app: the page that takes a table to its release."""

from __future__ import annotations

from typing import Annotated

import typer


def app_command(
    port: Annotated[
        int, typer.Option(help="Port to listen at; by default one that is free.")
    ] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address to open.")
    ] = False,
    folder: Annotated[
        list[str] | None,
        typer.Option(
            help="A folder whose files may be opened where they are (repeat the "
            "option); others are uploaded.",
            metavar="FOLDER",
        ),
    ] = None,
    upload_limit: Annotated[
        str, typer.Option(help="Largest file that may be uploaded.", metavar="SIZE")
    ] = "2GB",
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
