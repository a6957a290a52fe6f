import type { IngestReport } from '@plugin-config/domain';

export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  show(report: IngestReport): void;
  end(): void;
}

const REDRAW_MS = 200;
const START_OF_LINE = '\r\u{1b}[2K';

/** A progress line that is redrawn in place. Draws only on a terminal. */
export function progress(terminal: Terminal): Progress {
  const started = performance.now();
  let drawnAt = 0;
  return {
    show(report) {
      const now = performance.now();
      if (terminal.isTTY !== true || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      terminal.write(START_OF_LINE + describe(report, (now - started) / 1000));
    },
    end() {
      if (drawnAt > 0) terminal.write(START_OF_LINE);
    },
  };
}

export function describe({ stored, duplicates, dead }: IngestReport, seconds: number): string {
  const entries = stored + duplicates + dead;
  const rate = seconds > 0 ? entries / seconds : 0;
  return `${grouped(entries)} entries, ${grouped(rate)} a second: ${grouped(stored)} stored, ${grouped(duplicates)} duplicates, ${grouped(dead)} dead letters`;
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en');
}
