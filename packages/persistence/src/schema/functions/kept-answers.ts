import { KEPT_MOST, KEPT_MS, KEPT_OVERHEAD_BYTES } from '@plugin-config/domain';

interface Holder {
  readonly project: string;
  readonly family: string;
  readonly key: string;
}

/**
 * What is kept for an API key in a family, to be joined laterally as `h`: the last number and the bytes up to it, whether
 * that is all it may have, and when there is room again. The family is locked, so nobody else keeps an answer
 * meanwhile. `when` says whether it is looked up at all.
 */
export function heldAnswers({ project, family, key }: Holder, when: string): string {
  const ofHolder = `kept_answer k where k.project_id = ${project} and k.family = ${family} and k.key_id = ${key} and ${when}`;
  return `lateral (
    select l.number, l.total_bytes,
      l.number - f.number + 1 >= ${KEPT_MOST.answers} or l.total_bytes - f.total_bytes >= ${KEPT_MOST.bytes} as full_up,
      greatest(1, least(86400, ceil(extract(epoch from
        f.kept_at + interval '${KEPT_MS} milliseconds' - statement_timestamp()
      ))))::integer as wait_s
    from (select k.number, k.total_bytes from ${ofHolder} order by k.number desc limit 1) l
    cross join (select k.number, k.total_bytes, k.kept_at from ${ofHolder} order by k.number limit 1) f
  ) h`;
}

/** What an answer counts for. */
export function bytesOf(answer: string, origin: string): string {
  return `octet_length(${answer}::text) + octet_length(${origin}) + ${KEPT_OVERHEAD_BYTES}`;
}
