#!/bin/bash
# Starts PostgreSQL as the primary, or as its standby. A new standby first copies the data of the primary.
set -eu

export PGPASSWORD=$REPLICATION_PASSWORD

if [ "$HOSTNAME" = "$PRIMARY" ]; then
  # The image runs this script when it creates the database.
  cat >/docker-entrypoint-initdb.d/replication.sh <<'SCRIPT'
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set password="$REPLICATION_PASSWORD" <<'SQL'
create role replication login replication password :'password';
-- After the next start, a commit waits until a standby has received it.
alter system set synchronous_standby_names = '*';
SQL
echo 'host replication replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
SCRIPT
elif [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Start over if the copy is interrupted.
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
  echo "$HOSTNAME was the primary, but now $PRIMARY is. Remove the volume of $HOSTNAME to make it a standby." >&2
  exit 1
fi

exec docker-entrypoint.sh "$@"
