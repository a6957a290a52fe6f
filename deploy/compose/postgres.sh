#!/bin/bash
# Starts PostgreSQL: as the primary, or as a standby of it, which begins with a copy of its data.
set -eu

export PGPASSWORD=$REPLICATION_PASSWORD

if [ "$HOSTNAME" = "$PRIMARY" ]; then
  # The image runs this script when it makes a new database.
  cat >/docker-entrypoint-initdb.d/replication.sh <<'SCRIPT'
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set password="$REPLICATION_PASSWORD" <<'SQL'
create role replication login replication password :'password';
-- From the next start on, a commit waits until a standby has it, too.
alter system set synchronous_standby_names = '*';
SQL
echo 'host replication replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
SCRIPT
elif [ ! -s "$PGDATA/PG_VERSION" ]; then
  # A copy that is cut short is no database: it is begun anew.
  copy() {
    rm -rf "$PGDATA.copy"
    install --directory --owner postgres --group postgres --mode 700 "$PGDATA.copy"
    gosu postgres pg_basebackup --pgdata "$PGDATA.copy" --write-recovery-conf --checkpoint fast \
      --dbname "host=$PRIMARY user=replication connect_timeout=5"
  }
  until copy; do
    echo "waiting for $PRIMARY" >&2
    sleep 2
  done
  rm -rf "$PGDATA"
  mv "$PGDATA.copy" "$PGDATA"
elif [ ! -e "$PGDATA/standby.signal" ]; then
  echo "$HOSTNAME was the primary, and now $PRIMARY is: remove the volume of $HOSTNAME, and it becomes a standby." >&2
  exit 1
fi

exec docker-entrypoint.sh "$@"
