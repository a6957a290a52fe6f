import { KEPT_MAX_PER_KEY, KEPT_MS, KEPT_OVERHEAD_BYTES } from '@plugin-config/domain';

interface AnswersOf {
  readonly project: string;
  readonly family: string;
  readonly key: string;
}

/**
 * A lateral join `h` with the answers that are kept for an API key in a family: the number and the total bytes of the last
 * one, whether the limit is reached, and in how many seconds the oldest one is deleted. The family is locked, so that
 * nobody else keeps an answer meanwhile. `when` is the condition for looking them up.
 */
export function keptAnswers({ project, family, key }: AnswersOf, when: string): string {
  const answers = `kept_answer k where k.project_id = ${project} and k.family = ${family} and k.key_id = ${key} and ${when}`;
  return `lateral (
    select l.number, l.total_bytes,
      l.number - f.number + 1 >= ${KEPT_MAX_PER_KEY.answers} or l.total_bytes - f.total_bytes >= ${KEPT_MAX_PER_KEY.bytes} as full_up,
      greatest(1, least(86400, ceil(extract(epoch from
        f.kept_at + interval '${KEPT_MS} milliseconds' - statement_timestamp()
      ))))::integer as wait_s
    from (select k.number, k.total_bytes from ${answers} order by k.number desc limit 1) l
    cross join (select k.number, k.total_bytes, k.kept_at from ${answers} order by k.number limit 1) f
  ) h`;
}

/** The bytes that an answer counts. */
export function bytesOf(answer: string, origin: string): string {
  return `octet_length(${answer}::text) + octet_length(${origin}) + ${KEPT_OVERHEAD_BYTES}`;
}
