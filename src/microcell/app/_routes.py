"""What the page may ask: each route checks, asks the session and shows the answer."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from microcell.app._document import Document
from microcell.app._errors import Refused, error_of
from microcell.app._guard import BadBody
from microcell.app._session import Conflict, Session
from microcell.app._upload import receive, safe_name
from microcell.app._workspace import empty

SHORT_TEXT = Field(default="", max_length=2000)


class Asked(BaseModel):
    """What a request may say; what it may not is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Reading(Asked):
    format: str | None = Field(default=None, max_length=50)
    delimiter: str | None = Field(default=None, max_length=10)
    encoding: str | None = Field(default=None, max_length=50)
    sheet: str | None = Field(default=None, max_length=200)


class Draft(Asked):
    revision: int
    entries: dict[str, Any]


class Comparison(Asked):
    methods: list[str] | None = Field(default=None, max_length=50)
    k: list[int] = Field(default=[3, 5, 10, 25, 50], min_length=1, max_length=20)
    label: str | None = None


class Wish(Asked):
    format: str = Field(default="csv", max_length=20)
    purpose: str = SHORT_TEXT
    author: str = SHORT_TEXT
    confirmed: bool = False


class Choice(Asked):
    label: str


class Place(Asked):
    path: str = Field(max_length=4000)


def add_routes(app: FastAPI, session: Session, quit: Any) -> None:
    """Add everything that the page asks for."""
    routes = APIRouter(prefix="/api")
    _add_state(routes, session, quit)
    _add_ways_in(routes, session)
    _add_document(routes, session)
    _add_jobs(routes, session)
    _add_releases(routes, session)
    app.include_router(routes)
    _add_errors(app, session)


def _add_state(routes: APIRouter, session: Session, quit: Any) -> None:
    @routes.get("/state")
    async def state() -> dict[str, Any]:
        session.jobs.warm_up()  # whoever sees the page is about to have work
        return session.state()

    @routes.get("/catalogue")
    async def catalogue() -> dict[str, Any]:
        from microcell.app._catalogue import catalogue

        return await asyncio.to_thread(catalogue)

    @routes.get("/events")
    async def events() -> Response:
        return StreamingResponse(
            session.broadcast.stream(), media_type="text/event-stream"
        )

    @routes.get("/folders")
    async def folders(path: str = "") -> dict[str, Any]:
        return {
            "path": path.strip("/"),
            "entries": await asyncio.to_thread(session.folders.list, path),
        }

    @routes.post("/quit", status_code=202)
    async def end() -> dict[str, Any]:
        quit()
        return {}


def _add_ways_in(routes: APIRouter, session: Session) -> None:
    @routes.post("/documents", status_code=201)
    async def upload(request: Request, name: str) -> dict[str, Any]:
        said = request.headers.get("content-length", "")
        declared = int(said) if said.isdecimal() else None
        with session.coming(declared) as allowed:
            folder = session.new_folder()
            target = folder / safe_name(name)
            try:
                await receive(request.stream(), target, allowed, declared)
            except BaseException:
                empty(folder)
                raise
        return session.to_dict(session.add(name[:200], target, folder))

    @routes.post("/documents/demo", status_code=201)
    async def demo() -> dict[str, Any]:
        return session.to_dict(await session.demo())

    @routes.post("/documents/open", status_code=201)
    async def open_in_place(place: Place) -> dict[str, Any]:
        return session.to_dict(session.open(place.path))


def _add_document(routes: APIRouter, session: Session) -> None:
    async def found(id: str) -> Document:
        return session.document(id)

    of_id = Depends(found)

    @routes.get("/documents/{id}")
    async def shown(document: Document = of_id) -> dict[str, Any]:
        return session.to_dict(document)

    @routes.delete("/documents/{id}", status_code=204)
    async def close(document: Document = of_id) -> None:
        await session.close(document)

    @routes.put("/documents/{id}/reading")
    async def read_otherwise(
        reading: Reading, document: Document = of_id
    ) -> dict[str, Any]:
        before, document.reading = document.reading, reading.model_dump()
        try:
            session.look(document)
        except Refused:
            document.reading = before
            raise
        session.changed(document)
        return session.to_dict(document)

    @routes.put("/documents/{id}/draft")
    async def put_draft(draft: Draft, document: Document = of_id) -> dict[str, Any]:
        await session.put_draft(document, draft.entries, draft.revision)
        return session.to_dict(document)

    @routes.post("/documents/{id}/undo")
    @routes.post("/documents/{id}/redo")
    async def step(request: Request, document: Document = of_id) -> dict[str, Any]:
        await session.step(document, back=request.url.path.endswith("undo"))
        return session.to_dict(document)

    @routes.post("/documents/{id}/proposal")
    async def propose(document: Document = of_id) -> dict[str, Any]:
        if document.proposal is None:
            raise Refused("Nothing is proposed for this table.", status=409)
        await session.put_draft(document, document.proposal)
        return session.to_dict(document)

    @routes.post("/documents/{id}/recipe")
    async def use_recipe(
        request: Request, document: Document = of_id
    ) -> dict[str, Any]:
        await session.use_recipe(document, await request.body())
        return session.to_dict(document)

    @routes.post("/documents/{id}/choose")
    async def choose(choice: Choice, document: Document = of_id) -> dict[str, Any]:
        await session.choose(document, choice.label)
        return session.to_dict(document)

    @routes.post("/documents/{id}/look", status_code=202)
    async def look(document: Document = of_id) -> dict[str, Any]:
        return session.jobs.to_dict(session.look(document))

    @routes.post("/documents/{id}/compare", status_code=202)
    async def compare(asked: Comparison, document: Document = of_id) -> dict[str, Any]:
        return session.jobs.to_dict(await session.compare(document, asked.model_dump()))

    @routes.get("/documents/{id}/map")
    async def map_of(
        x: str, y: str, width: int, document: Document = of_id
    ) -> dict[str, Any]:
        from microcell.app._map import drawn_map

        comparison = document.comparison
        if comparison is None or not comparison["figures"]:
            raise Refused("Nothing has been compared.", status=404)
        return await asyncio.to_thread(drawn_map, dict(comparison), x, y, width)

    @routes.post("/documents/{id}/release", status_code=202)
    async def release(wish: Wish, document: Document = of_id) -> dict[str, Any]:
        return session.jobs.to_dict(await session.release(document, wish.model_dump()))


def _add_jobs(routes: APIRouter, session: Session) -> None:
    @routes.delete("/jobs/{id}")
    async def cancel(id: str) -> dict[str, Any]:
        if id not in session.jobs.all:
            raise Refused("There is no such job.", status=404)
        job = session.jobs.all[id]
        await session.jobs.cancel(job)
        return session.jobs.to_dict(job)


def _add_releases(routes: APIRouter, session: Session) -> None:
    @routes.get("/releases/{id}/files/{what}")
    async def download(id: str, what: str) -> Response:
        file = session.file_of(id, what)
        return FileResponse(
            file, media_type="application/octet-stream", filename=file.name
        )

    @routes.get("/releases/{id}/report")
    async def report(id: str) -> Response:
        return FileResponse(session.file_of(id, "report"), media_type="text/html")

    @routes.post("/releases/{id}/settings")
    async def use_settings(id: str) -> dict[str, Any]:
        found = session.found_release(id)
        document = session.document(found["document"])
        await session.put_draft(document, found["entries"])
        return session.to_dict(document)

    @routes.delete("/releases/{id}", status_code=204)
    async def take_back(id: str) -> None:
        session.take_back(id)

    @routes.post("/releases/{id}/undo", status_code=204)
    async def put_back(id: str) -> None:
        session.put_back(id)


def _add_errors(app: FastAPI, session: Session) -> None:
    """Let every error be one sentence, and nothing of a record or of our source."""

    def answer(error: Exception, status: int) -> Response:
        return JSONResponse({"error": error_of(error)}, status)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return answer(error, error.status)

    @app.exception_handler(Conflict)
    async def conflict(request: Request, error: Conflict) -> Response:
        document = session.document(request.path_params["id"])
        said = error_of(Refused("This was changed in another window meanwhile."))
        return JSONResponse({"error": said, "document": session.to_dict(document)}, 409)

    @app.exception_handler(RequestValidationError)
    async def not_understood(
        request: Request, error: RequestValidationError
    ) -> Response:
        where = ".".join(str(part) for part in error.errors()[0]["loc"][1:])
        return answer(Refused(f"The request is not understood: {where}."), 422)

    @app.exception_handler(HTTPException)
    async def nothing_there(request: Request, error: HTTPException) -> Response:
        if isinstance(error, BadBody):
            said = error.detail
        elif error.status_code == 400:
            said = "The request is not understood."
        else:
            said = "There is nothing here."
        return answer(Refused(said), error.status_code)

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)

    @app.exception_handler(Exception)
    async def any_other(request: Request, error: Exception) -> Response:
        status = 400 if isinstance(error, (ValueError, OSError)) else 500
        return answer(error, status)
