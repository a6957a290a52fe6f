import jobs; jobs.start()
from plugin import apply
import json, os, random, socket, sys, time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

API, KEY, FILE = os.environ["API"], os.environ["KEY"], os.environ.get("CONFIG_FILE", "projects.json")
INSTANCE = os.environ.get("INSTANCE", socket.gethostname())
known, running, unseen, failures = {}, {}, set(), {}
# What configurations may refer to: no other variables, such as KEY.
SECRETS = {f"env://{name}": value for name, value in os.environ.items() if name.startswith("PLUGIN_")}

def usable(records):
    """Returns the records that can run, with the secrets that they refer to, and errors by record id."""
    ready, errors = [], {}
    for record in records:
        config = record["config"]
        uris = {key: str(value["$ref"]) for key, value in config.items() if isinstance(value, dict) and [*value] == ["$ref"]}
        unknown = [key for key, uri in uris.items() if uri not in SECRETS]
        # If your code still accepts an invalid configuration, run it as before.
        if not record["valid"]: errors[record["id"]] = "The schema of the plugin rejects the configuration."
        elif unknown: errors[record["id"]] = f"There is no secret for the reference in {', '.join(unknown)}."
        else: ready.append(record | {"config": config | {key: SECRETS[uri] for key, uri in uris.items()}})
    return ready, errors

def send(method, path, body=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    return urlopen(Request(API + path, body and json.dumps(body).encode(), headers, method=method), timeout=60)

def take(page):
    """Puts a page into `known`."""
    if page["reset"]: unseen.update(known)
    for project in page["gone"]: known.pop(project["project_id"], None)
    for project in page["projects"]:
        unseen.discard(project["project_id"])
        if "results" in project: known[project["project_id"]] = project
    if page["more"]: return
    for project_id in unseen: known.pop(project_id, None)
    unseen.clear()

def run():
    """Applies the projects that differ from what runs."""
    for project_id in [*running.keys() - known.keys(), *known]:
        project = known.get(project_id, {"version": None, "results": []})
        if running.get(project_id) == project["version"]: continue
        ready, errors = usable(project["results"])
        # An error in one project must not stop the others.
        try: errors |= apply(project_id, ready)
        except Exception as error: errors |= {record["id"]: type(error).__name__ for record in ready}
        failures[project_id] = [{"project_id": project_id, "id": id, "error": error} for id, error in errors.items()]
        running[project_id] = project["version"]
        if project["version"] is None: del running[project_id], failures[project_id]

def save():
    """Writes the file, unless what is known is incomplete."""
    global saved_at
    if cursor is None or unseen: return
    try:
        with open(os.open(FILE + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump({"cursor": cursor, "projects": [*known.values()]}, file), file.flush(), os.fsync(file.fileno())
        os.replace(FILE + ".new", FILE)
    except OSError as error: print("not saved:", error, file=sys.stderr, flush=True)
    saved_at = time.monotonic()

cursor, wait, pause, saved_at = None, None, 1, 0
try:
    with open(FILE) as file: stored = json.load(file)
    cursor, known = stored["cursor"], {project["project_id"]: project for project in stored["projects"]}
except (OSError, ValueError, KeyError): pass
while True:
    try:
        query = urlencode({name: value for name, value in (("after", cursor), ("wait", wait)) if value})
        with send("GET", f"?{query}") as response: page = json.load(response)
        take(page), run()
        cursor, wait, pause = page["cursor"], None if page["more"] else 50, 1
        if wait and time.monotonic() > saved_at + 10: save()
        failed = [failure for some in failures.values() for failure in some][:1000]
        report = {"cursor": cursor, "status": "failed" if failed else "applied", "failed": failed}
        if wait: send("PUT", f"/instances/{INSTANCE}", report).close()
    except Exception as error:
        if isinstance(error, HTTPError) and error.code in (401, 403, 404):
            if os.path.exists(FILE): os.remove(FILE)
            sys.exit(f"The key was rejected: {error} {error.read(1000).decode(errors='replace')}")
        print("trying again:", error, file=sys.stderr, flush=True)
        run(), save()
        retry_after = error.headers.get("Retry-After", "") if isinstance(error, HTTPError) else ""
        time.sleep((int(retry_after) if retry_after.isdigit() else pause) * random.uniform(1, 1.5))
        pause, wait = min(2 * pause, 60), None
