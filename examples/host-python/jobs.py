from plugin import check, replay
import json, os, random, re, socket, sys, threading, time
from datetime import datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = re.sub("/projects/[^/]+/", "/runtime/", os.environ["API"]) + "/jobs"
KEY, INSTANCE = os.environ["KEY"], os.environ.get("INSTANCE", socket.gethostname())
LEASE = int(os.environ.get("LEASE_SECONDS", "60"))

class Failed(Exception):
    """Raised by a handler. People see its text."""
    def __init__(self, text, retry=False):
        super().__init__(text)
        self.retry = retry

HANDLERS = {"replay": replay, "check": check}

def send(method, path, **body):
    """Sends a request until it is accepted or rejected."""
    headers, pause = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}, 1
    request = Request(URL + path, json.dumps({"instance": INSTANCE} | body).encode(), headers, method=method)
    while True:
        try:
            with urlopen(request, timeout=body.get("wait", 0) + 10) as response: return json.loads(response.read() or "null")
        except (OSError, HTTPException, ValueError) as error:
            is_answered = isinstance(error, HTTPError)
            if is_answered and error.code < 500 and error.code != 429: raise
            retry_after = error.headers.get("Retry-After", "") if is_answered else ""
            time.sleep((int(retry_after) if retry_after.isdigit() else pause) * random.uniform(1, 1.5))
            pause = min(2 * pause, 60)

def result_of(job, stop):
    try: return {"state": "succeeded", "output": HANDLERS[job["type"]](job, stop)}
    except Failed as error: return {"state": "failed", "error": str(error), "retry": error.retry}
    except Exception as error: return {"state": "failed", "error": type(error).__name__}

def work(job):
    """Does a job. Its lease is renewed until its result is acknowledged."""
    path, ended, stop, lost = f"/{job['id']}", threading.Event(), threading.Event(), threading.Event()
    def renew():
        while not ended.wait(min(LEASE / 3, 5)):  # Often, so that people see progress, and can cancel.
            said = {key: job.get(key) for key in ("progress", "message")}
            try:
                if send("PATCH", path, lease_seconds=LEASE, **said)["cancelled"]: stop.set()
            except HTTPError: return lost.set(), stop.set()
    threading.Thread(target=renew, daemon=True).start()
    result = result_of(job, stop)
    try:
        if not lost.is_set(): send("PUT", path + "/result", **result)
    except Exception as error:
        code = error.code if isinstance(error, HTTPError) else 0
        if code in (401, 403, 404, 409): return
        send("PUT", path + "/result", state="failed", error=f"The result was rejected: {code or type(error).__name__}.")
    finally: ended.set()

def take(type):
    while True:
        try:
            for job in send("POST", "/claim", types=[type], lease_seconds=LEASE, wait=50)["jobs"]: work(job)
        except Exception as error:
            print("trying again in a minute:", error, file=sys.stderr, flush=True)
            time.sleep(60)

def start():
    """Takes one job of each type at a time: checks do not wait for long jobs."""
    for type in HANDLERS: threading.Thread(target=take, args=(type,), daemon=True).start()
