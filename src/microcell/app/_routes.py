"""What the page may ask: each route checks, calls the desk and shows what it says."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from microcell.app._case import Case
from microcell.app._desk import Conflict, Desk
from microcell.app._errors import Refused, error_of
from microcell.app._guard import TooLong, TooSlow
from microcell.app._upload import receive, safe_name
from microcell.app._workplace import empty

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


def add_routes(app: FastAPI, desk: Desk, quit: Any) -> None:
    """Add everything that the page asks for."""
    routes = APIRouter(prefix="/api")
    _add_state(routes, desk, quit)
    _add_ways_in(routes, desk)
    _add_case(routes, desk)
    _add_jobs(routes, desk)
    _add_releases(routes, desk)
    app.include_router(routes)
    _add_errors(app, desk)


def _add_state(routes: APIRouter, desk: Desk, quit: Any) -> None:
    @routes.get("/state")
    async def state() -> dict[str, Any]:
        desk.jobs.warm_up()  # whoever sees the page is about to have work
        return desk.state()

    @routes.get("/catalogue")
    async def catalogue() -> dict[str, Any]:
        from microcell.app._catalogue import catalogue

        return await asyncio.to_thread(catalogue)

    @routes.get("/events")
    async def events() -> Response:
        return StreamingResponse(
            desk.broadcast.stream(), media_type="text/event-stream"
        )

    @routes.get("/folders")
    async def folders(path: str = "") -> dict[str, Any]:
        return {
            "path": path.strip("/"),
            "entries": await asyncio.to_thread(desk.folders.list, path),
        }

    @routes.post("/quit", status_code=202)
    async def end() -> dict[str, Any]:
        quit()
        return {}


def _add_ways_in(routes: APIRouter, desk: Desk) -> None:
    @routes.post("/cases", status_code=201)
    async def upload(request: Request, name: str) -> dict[str, Any]:
        said = request.headers.get("content-length", "")
        declared = int(said) if said.isdecimal() else None
        with desk.coming(declared) as room:
            folder = desk.new_folder()
            target = folder / safe_name(name)
            try:
                await receive(request.stream(), target, room, declared)
            except BaseException:
                empty(folder)
                raise
        return desk.to_dict(desk.add(name[:200], target, folder))

    @routes.post("/cases/demo", status_code=201)
    async def demo() -> dict[str, Any]:
        return desk.to_dict(await desk.demo())

    @routes.post("/cases/open", status_code=201)
    async def open_in_place(place: Place) -> dict[str, Any]:
        return desk.to_dict(desk.open(place.path))


def _add_case(routes: APIRouter, desk: Desk) -> None:
    @routes.get("/cases/{id}")
    async def shown(id: str) -> dict[str, Any]:
        return desk.to_dict(desk.case(id))

    @routes.delete("/cases/{id}", status_code=204)
    async def close(id: str) -> None:
        await desk.close(desk.case(id))

    @routes.put("/cases/{id}/reading")
    async def read_otherwise(id: str, reading: Reading) -> dict[str, Any]:
        case = desk.case(id)
        before, case.reading = case.reading, reading.model_dump()
        try:
            desk.look(case)
        except Refused:
            case.reading = before
            raise
        desk.changed(case)
        return desk.to_dict(case)

    @routes.put("/cases/{id}/draft")
    async def put_draft(id: str, draft: Draft) -> dict[str, Any]:
        case = desk.case(id)
        await desk.put_draft(case, draft.entries, draft.revision)
        return desk.to_dict(case)

    @routes.post("/cases/{id}/undo")
    async def undo(id: str) -> dict[str, Any]:
        return await _stepped(desk, desk.case(id), back=True)

    @routes.post("/cases/{id}/redo")
    async def redo(id: str) -> dict[str, Any]:
        return await _stepped(desk, desk.case(id), back=False)

    @routes.post("/cases/{id}/proposal")
    async def propose(id: str) -> dict[str, Any]:
        case = desk.case(id)
        if case.proposal is None:
            raise Refused("Nothing is proposed for this table.", status=409)
        await desk.put_draft(case, case.proposal)
        return desk.to_dict(case)

    @routes.post("/cases/{id}/recipe")
    async def use_recipe(id: str, request: Request) -> dict[str, Any]:
        case = desk.case(id)
        await desk.use_recipe(case, await request.body())
        return desk.to_dict(case)

    @routes.post("/cases/{id}/choose")
    async def choose(id: str, choice: Choice) -> dict[str, Any]:
        case = desk.case(id)
        await desk.choose(case, choice.label)
        return desk.to_dict(case)


def _add_jobs(routes: APIRouter, desk: Desk) -> None:
    @routes.post("/cases/{id}/look", status_code=202)
    async def look(id: str) -> dict[str, Any]:
        return desk.jobs.to_dict(desk.look(desk.case(id)))

    @routes.post("/cases/{id}/compare", status_code=202)
    async def compare(id: str, asked: Comparison) -> dict[str, Any]:
        job = await desk.compare(desk.case(id), asked.model_dump())
        return desk.jobs.to_dict(job)

    @routes.post("/cases/{id}/release", status_code=202)
    async def release(id: str, wish: Wish) -> dict[str, Any]:
        job = await desk.release(desk.case(id), wish.model_dump())
        return desk.jobs.to_dict(job)

    @routes.delete("/jobs/{id}")
    async def cancel(id: str) -> dict[str, Any]:
        if id not in desk.jobs.all:
            raise Refused("There is no such job.", status=404)
        job = desk.jobs.all[id]
        await desk.jobs.cancel(job)
        return desk.jobs.to_dict(job)


def _add_releases(routes: APIRouter, desk: Desk) -> None:
    @routes.get("/releases/{id}/files/{what}")
    async def download(id: str, what: str) -> Response:
        file = desk.file_of(id, what)
        return FileResponse(
            file, media_type="application/octet-stream", filename=file.name
        )

    @routes.get("/releases/{id}/report")
    async def report(id: str) -> Response:
        return FileResponse(desk.file_of(id, "report"), media_type="text/html")

    @routes.post("/releases/{id}/settings")
    async def use_settings(id: str) -> dict[str, Any]:
        found = desk.found_release(id)
        case = desk.case(found["case"])
        await desk.put_draft(case, found["entries"])
        return desk.to_dict(case)

    @routes.delete("/releases/{id}", status_code=204)
    async def take_back(id: str) -> None:
        desk.take_back(id)

    @routes.post("/releases/{id}/undo", status_code=204)
    async def put_back(id: str) -> None:
        desk.put_back(id)


async def _stepped(desk: Desk, case: Case, *, back: bool) -> dict[str, Any]:
    await desk.step(case, back=back)
    return desk.to_dict(case)


def _add_errors(app: FastAPI, desk: Desk) -> None:
    """Let every error be one sentence, and nothing of a record or of our source."""

    def answer(error: Exception, status: int) -> Response:
        return JSONResponse({"error": error_of(error)}, status)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return answer(error, error.status)

    @app.exception_handler(Conflict)
    async def conflict(request: Request, error: Conflict) -> Response:
        case = desk.case(request.path_params["id"])
        said = error_of(Refused("This was changed in another window meanwhile."))
        return JSONResponse({"error": said, "case": desk.to_dict(case)}, 409)

    @app.exception_handler(RequestValidationError)
    async def not_understood(
        request: Request, error: RequestValidationError
    ) -> Response:
        where = ".".join(str(part) for part in error.errors()[0]["loc"][1:])
        return answer(Refused(f"The request is not understood: {where}."), 422)

    @app.exception_handler(HTTPException)
    async def nothing_there(request: Request, error: HTTPException) -> Response:
        if isinstance(error, (TooLong, TooSlow)):
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
