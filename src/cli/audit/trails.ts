/**
 * Reads the records of audit trails, for those who add them up.
 * Invariant: no record is read twice. Whether the chain of the records holds is for `toolcrib audit verify` to say.
 */
import { realFile } from '../../audit/files';
import { filesOf, readAudit } from '../../audit/lines';
import type { AuditRecord } from '../../contract/audit';
import { scrubText } from '../../invocation/scrub';
import { toFailure } from '../commands/audit';
import type { Io } from '../io';
import { openDatabase, toTrailPlace } from '../trail-place';

async function* readDatabase(url: string): AsyncGenerator<AuditRecord> {
  const audit = await openDatabase(url);
  try {
    yield* readAudit(audit.lines());
  } finally {
    await audit.close();
  }
}

/** A trail that was read. */
export interface ReadTrail {
  /** The file, or the URL without its credentials, as it was given. */
  readonly trail: string;
  /** The times of its first and last record (RFC 3339, in UTC); undefined: it has none. */
  readonly period: { readonly from: string; readonly to: string } | undefined;
}

/** Trails that are read one after the other. */
export class Trails {
  private readonly done: ReadTrail[] = [];

  /**
   * @param trails the files that are written, or URLs of Postgres databases; a file that a trail was rotated to may be
   * named beside it.
   */
  constructor(
    private readonly trails: readonly string[],
    private readonly io: Io,
  ) {}

  /** Those that were read to their end. */
  get read(): readonly ReadTrail[] {
    return this.done;
  }

  /**
   * Gives their records.
   *
   * @throws CliError `illegal_option`, `unreadable_file` or `audit_failed`.
   */
  async *records(): AsyncGenerator<AuditRecord> {
    const places = this.trails.map((given) => ({ given, ...toTrailPlace(given, this.io.cwd) }));
    try {
      const files = new Map(
        places.flatMap(({ file, given }) => (file === undefined ? [] : [[realFile(file), given]])),
      );
      const rotated = new Set(
        [...files.keys()].flatMap((file) => filesOf(file).filter((one) => one !== file)),
      );
      for (const [file, given] of files) if (!rotated.has(file)) yield* this.noting(given, readAudit(file));
      for (const url of new Set(places.flatMap((place) => place.url ?? []))) {
        yield* this.noting(scrubText(url), readDatabase(url));
      }
    } catch (error) {
      throw toFailure(error);
    }
  }

  private async *noting(trail: string, records: AsyncIterable<AuditRecord>): AsyncGenerator<AuditRecord> {
    let from: string | undefined;
    let to: string | undefined;
    for await (const record of records) {
      const { time } = record;
      if (from === undefined || time < from) from = time;
      if (to === undefined || time > to) to = time;
      yield record;
    }
    this.done.push({ trail, period: from === undefined || to === undefined ? undefined : { from, to } });
  }
}
