/**
 * One process's share of the proof: every form, every ordered pair, and DTOs composed at random.
 * Invariant: the shares of both builds hold the same forms and pairs; what differs is the seed of the values.
 */
import fc from 'fast-check';
import type { JsonValue } from 'toolcrib';
import { type Checked, checkDto, type Subject } from './check';
import { arbitraryDto, type Feature, probeOf } from './composed';
import { DECLARED } from './declared';
import { FORMS, MORE_FORMS } from './forms/all';
import type { Form } from './forms/form';
import { Random } from './random';
import {
  addCounts,
  type Disagreement,
  type FormReport,
  type GroupReport,
  newGroup,
  type ShareReport,
} from './report';
import { type DtoSpec, EMITS_TYPES, type Made, type PropertySpec } from './spec';
import { ORDERED_PAIRS } from './stacking';

/** What a share is asked for. */
export interface ShareOptions {
  readonly build: string;
  readonly seed: number;
  /** How many (DTO, value) pairs there must be at least. */
  readonly pairs: number;
  readonly subject: Subject;
  readonly progress: (text: string) => void;
}

const FEATURES: readonly Feature[] = ['union', 'condition', 'transform', 'expose'];
/** The parts of the pairs that go to the forms, to the stacked ones and to each DTO written out; the rest is composed. */
const FORMS_PART = 0.42;
const STACKED_PART = 0.36;
const WRITTEN_PART = 0.02;
const DOCUMENTS_OF_COMPOSED = 250;
const COMPOSED_DEPTH = 2;
const MOST_DISAGREEMENTS = 200;

function specOf(property: PropertySpec): DtoSpec {
  return { properties: { v: property }, inherited: 0 };
}

/** The value of the one property of a document; null where it is left out. */
function soleValue(document: JsonValue): JsonValue {
  if (typeof document !== 'object' || document === null) return null;
  return new Map<string, JsonValue>(Object.entries(document)).get('v') ?? null;
}

/** Runs the parts of a share one after the other. */
class Share {
  readonly disagreements: Disagreement[] = [];
  /** The properties that the package took. */
  private readonly taken: PropertySpec[] = [];
  private readonly random: Random;
  private pairs = 0;

  constructor(private readonly options: ShareOptions) {
    this.random = new Random(options.seed);
  }

  async forms(forms: readonly Form[], each: boolean, documents: number): Promise<readonly FormReport[]> {
    const reports: FormReport[] = [];
    for (const form of forms) {
      const property = { uses: [{ form, each }] };
      const { grade, counts, accepted } = await this.check(specOf(property), documents);
      if (grade !== 'refused') this.taken.push({ ...property, samples: accepted.map(soleValue) });
      reports.push({ name: form.name, grade, ...counts });
    }
    this.options.progress(`${this.pairs} pairs: forms ${each ? 'on each element' : 'alone'}`);
    return reports;
  }

  /** The DTOs that this build's compiler has decorated by itself. */
  async written(documents: number): Promise<GroupReport> {
    const group = newGroup();
    for (const declare of DECLARED) {
      const { spec, made } = declare();
      await this.add(group, spec, documents, made);
    }
    this.options.progress(`${this.pairs} pairs: DTOs that are written out`);
    return group;
  }

  async stacked(documents: number): Promise<GroupReport> {
    const group = newGroup();
    for (const uses of ORDERED_PAIRS) {
      const { grade, accepted } = await this.add(group, specOf({ uses }), documents);
      if (grade !== 'refused') this.taken.push({ uses, samples: accepted.map(soleValue) });
    }
    this.options.progress(`${this.pairs} pairs: two decorators on a property`);
    return group;
  }

  /** Checks composed DTOs until the share has its pairs. */
  async composed(): Promise<GroupReport> {
    const group = newGroup();
    const features = await this.features(group);
    const specs = arbitraryDto(this.taken, features, COMPOSED_DEPTH);
    // A DTO may have few documents, so how many DTOs it takes is not known before.
    for (let round = 0; this.pairs < this.options.pairs; round += 1) {
      const seed = this.random.below(2 ** 31);
      for (const spec of fc.sample(specs, { seed, numRuns: 20 }))
        await this.add(group, spec, DOCUMENTS_OF_COMPOSED);
      if (round % 10 === 0) this.options.progress(`${this.pairs} pairs: composed DTOs`);
    }
    return group;
  }

  /** What the package takes beyond rules on JSON. */
  private async features(group: GroupReport): Promise<ReadonlySet<Feature>> {
    const features = new Set<Feature>();
    for (const feature of FEATURES) {
      const { grade } = await this.add(group, probeOf(feature), DOCUMENTS_OF_COMPOSED);
      if (grade !== 'refused') features.add(feature);
    }
    this.options.progress(`composes with: ${[...features].join(', ') || 'rules alone'}`);
    return features;
  }

  private async add(group: GroupReport, spec: DtoSpec, documents: number, made?: Made): Promise<Checked> {
    const checked = await this.check(spec, documents, made);
    group.dtos += 1;
    if (checked.grade === 'refused') group.refused += 1;
    addCounts(group, checked.counts);
    return checked;
  }

  private async check(spec: DtoSpec, documents: number, made?: Made): Promise<Checked> {
    const { random, options } = this;
    const checked = await checkDto(spec, documents, random, options.subject, made);
    this.pairs += checked.counts.pairs;
    // The loop awaits nothing but verdicts, and would keep messages waiting.
    await new Promise(setImmediate);
    const room = MOST_DISAGREEMENTS - this.disagreements.length;
    this.disagreements.push(...checked.disagreements.slice(0, room));
    return checked;
  }
}

/** Runs a share. */
export async function runShare(options: ShareOptions): Promise<ShareReport> {
  const start = Date.now();
  const share = new Share(options);
  const ofForm = Math.ceil((options.pairs * FORMS_PART) / (2 * FORMS.length));
  const ofPair = Math.ceil((options.pairs * STACKED_PART) / ORDERED_PAIRS.length);
  const alone = await share.forms(FORMS, false, ofForm);
  const each = await share.forms(FORMS, true, ofForm);
  const more = await share.forms(MORE_FORMS, false, ofForm);
  const written = await share.written(Math.ceil(options.pairs * WRITTEN_PART));
  const stacked = await share.stacked(ofPair);
  const composed = await share.composed();
  const seconds = (Date.now() - start) / 1000;
  const { disagreements } = share;
  return {
    build: options.build,
    emitsTypes: EMITS_TYPES,
    seconds,
    alone,
    each,
    more,
    written,
    stacked,
    composed,
    disagreements,
  };
}
