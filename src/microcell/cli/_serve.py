"""microcell app: the page that takes a table to its release."""

from __future__ import annotations

from pathlib import Path
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
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen at. Others than this machine's own need a "
            "certificate, a password and a folder; better put the app behind your "
            "own proxy.",
            metavar="ADDRESS",
        ),
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="What browsers call this machine, with --host (repeat the option).",
            metavar="NAME",
        ),
    ] = None,
    certificate: Annotated[
        str | None,
        typer.Option(help="Certificate (PEM) for https.", metavar="FILE"),
    ] = None,
    key: Annotated[
        str | None, typer.Option(help="Its private key (PEM).", metavar="FILE")
    ] = None,
    password_file: Annotated[
        str | None,
        typer.Option(
            help="File with the password that opens the page, instead of a token in "
            "the address.",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Open a page in the browser that takes a file to its release."""
    from microcell._bytes import as_bytes
    from microcell.cli._signals import leave_to_program
    from microcell.exceptions import InputError
    from microcell.io._extras import needed

    for module in ("fastapi", "uvicorn"):
        needed(module, "app", "Pages in the browser")
    from microcell.app._server import Settings, serve

    password = None
    if password_file is not None:
        password = Path(password_file).read_text(encoding="utf-8").strip()
        if not password:
            raise InputError(
                f"{password_file} holds no password.", option="password_file"
            )
    settings = Settings(
        host=host,
        port=port,
        names=name or (),
        folders=folder or (),
        upload_limit=as_bytes(upload_limit, "upload_limit") or 0,
        certificate=certificate,
        key=key,
        password=password,
    )
    leave_to_program()
    serve(settings, browser=not no_browser, say=typer.echo)
    typer.echo("microcell has ended.")
