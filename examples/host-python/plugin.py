"""The plugin that this host runs: it announces the orders of a shop by mail. Here it only writes that into its log."""
import json, os, sys, threading, time
from urllib.request import Request, urlopen

WORKER, KEY = os.environ["WORKER_URL"], os.environ["KEY"]
PAUSE_SECONDS = float(os.environ.get("PAUSE_SECONDS", "5"))
mailers = {}

def send(*lines):
    """Sends log entries and reports of deliveries. A plugin must not stop because its log cannot be reached."""
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/x-ndjson"}
    try: urlopen(Request(WORKER + "/ingest", body, headers), timeout=10).close()
    except OSError as error: print("not logged:", error, file=sys.stderr, flush=True)

class Mailer(threading.Thread):
    """Runs one record until it is stopped."""
    def __init__(self, record):
        super().__init__(daemon=True)
        self.id, self.to, self.version, self.stopped = record["id"], record["config"]["to"], record["config_version"], threading.Event()

    def run(self):
        send(self.entry(f"Orders are announced to {self.to}."))
        while not self.stopped.wait(PAUSE_SECONDS):
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            report = {"kind": "delivery", "timestamp": now, "successes": 1, "successes_on_retry": 0, "failures": 0}
            send(self.entry("Announced an order."), {"plugin_config_id": self.id} | report)

    def entry(self, message): return {"plugin_config_id": self.id, "type": "INFO", "message": message}

def apply(project_id, records):
    """Runs exactly these records of a project. Returns errors by record id, without values of secrets."""
    print("run", project_id, *(record["plugin_name"] or record["plugin"] for record in records), flush=True)
    current, errors = mailers.setdefault(project_id, {}), {}
    versions = {record["id"]: record["config_version"] for record in records}
    for id in [*current]:
        if current[id].version != versions.get(id): current.pop(id).stopped.set()
    for record in records:
        if record["id"] in current: continue
        # An error in one record must not stop the others.
        try:
            if "@" in record["config"].get("to", ""):
                mailer = Mailer(record)
                mailer.start()
                current[record["id"]] = mailer
            else: errors[record["id"]] = "There is no address to send to."
        except Exception as error: errors[record["id"]] = type(error).__name__
    return errors

def check(job, stop):
    """Tests a configuration before it is stored."""
    is_address = "@" in str(job["config"].get("to"))
    return {"ok": is_address, "errors": [] if is_address else [{"attr": "to", "detail": "It is not an address."}]}

def replay(job, stop):
    """Sends again what has failed. Nothing fails here."""
    return {"sent": 0}
