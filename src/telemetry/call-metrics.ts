/**
 * Counts calls by how they ended.
 * Invariant: each ended call is counted once by `toolcrib.calls`, however many toolkits share a meter; all labels come
 * from `Labels`.
 */
import type { Counter, Histogram, Meter } from '@opentelemetry/api';
import type { CallRecord } from '../contract/observer';
import { oncePer } from '../contract/once';
import type { ToolSpec } from '../contract/tool';
import { type FrameworkErrorCode, isFrameworkErrorCode } from '../errors/codes';
import { Labels } from './labels';
import { ATTRIBUTES, DURATION_BUCKETS, METRICS, type MetricName } from './names';

type CounterName = Exclude<keyof typeof METRICS, 'calls' | 'duration' | 'startTime' | 'breakerOpen'>;

/** What counts the calls that ended with one of the framework's codes, beside `toolcrib.calls`. */
const BY_CODE: { readonly [Code in FrameworkErrorCode]?: CounterName } = {
  internal_error: 'exceptions',
  retry_refused: 'refusedRetries',
};

/** Breakers that have ever opened, by name, and whether each is open. */
export type Breakers = ReadonlyMap<string, boolean>;

/** The instruments of one meter. */
export class CallMetrics {
  private readonly labels = new Labels();
  private readonly breakers = new Set<Breakers>();
  private readonly counters: Readonly<Record<CounterName, Counter>>;
  private readonly duration: Histogram;

  constructor(meter: Meter) {
    const counter = ({ name, unit, description }: MetricName) =>
      meter.createCounter(name, { unit, description });
    this.counters = {
      invalidInput: counter(METRICS.invalidInput),
      exceptions: counter(METRICS.exceptions),
      refusedRetries: counter(METRICS.refusedRetries),
      denials: counter(METRICS.denials),
      approvals: counter(METRICS.approvals),
      replays: counter(METRICS.replays),
      limited: counter(METRICS.limited),
      unknownOutcomes: counter(METRICS.unknownOutcomes),
    };
    const { calls } = METRICS;
    meter
      .createObservableCounter(calls.name, { unit: calls.unit, description: calls.description })
      .addCallback((result) => {
        for (const end of this.labels.ends()) result.observe(end.count, end.calls);
      });
    const { name, unit, description } = METRICS.duration;
    const advice = { explicitBucketBoundaries: [...DURATION_BUCKETS] };
    this.duration = meter.createHistogram(name, { unit, description, advice });
    const gauge = ({ name: of, unit: by, description: says }: MetricName) =>
      meter.createObservableGauge(of, { unit: by, description: says });
    const startedAt = Date.now() / 1_000;
    gauge(METRICS.startTime).addCallback((result) => result.observe(startedAt));
    gauge(METRICS.breakerOpen).addCallback((result) => {
      for (const [breaker, isOpen] of this.allBreakers()) {
        result.observe(isOpen ? 1 : 0, { [ATTRIBUTES.breaker]: breaker });
      }
    });
  }

  /** Tells of breakers too, as they are when metrics are collected. */
  tellOf(breakers: Breakers): void {
    this.breakers.add(breakers);
  }

  /** Counts nothing of what alerts are made of, since they would miss the first count of a counter that is new. */
  expect(tools: readonly ToolSpec[]): void {
    const { exceptions, refusedRetries, unknownOutcomes } = this.counters;
    for (const tool of tools) {
      const labels = this.labels.ofTool(tool);
      for (const counter of [exceptions, refusedRetries, unknownOutcomes]) counter.add(0, labels);
    }
  }

  /** Counts a call that has ended, or is paused. */
  count(record: CallRecord): void {
    const { call, durationMs, outcome, error, approval, limiter, replayed } = record;
    const { approvals, denials, limited, invalidInput, replays, unknownOutcomes } = this.counters;
    const ended = this.labels.ofEnd(record);
    ended.count += 1;
    if (outcome !== 'paused') this.duration.record(durationMs / 1_000, ended.duration);
    const tool = this.labels.ofTool(call.tool);
    if (record.isDenied) denials.add(1, tool);
    if (replayed) replays.add(1, tool);
    if (record.isOutcomeUnknown) unknownOutcomes.add(1, tool);
    if (approval !== undefined) approvals.add(1, { ...tool, [ATTRIBUTES.approval]: approval });
    if (limiter !== undefined) limited.add(1, { ...tool, [ATTRIBUTES.limiter]: limiter });
    if (error === undefined) return;
    for (const violation of record.violations) {
      invalidInput.add(1, this.labels.ofViolation(violation, call.tool));
    }
    const own = isFrameworkErrorCode(error.code) ? BY_CODE[error.code] : undefined;
    if (own !== undefined) this.counters[own].add(1, tool);
  }

  /** One that has the same name in several toolkits is open where any of them is. */
  private allBreakers(): Breakers {
    const all = new Map<string, boolean>();
    for (const some of this.breakers) {
      for (const [breaker, isOpen] of some) all.set(breaker, isOpen || all.get(breaker) === true);
    }
    return all;
  }
}

/** The instruments of a meter: the same ones for all who count by it, since the last callback for labels would win. */
export const metricsOf = oncePer((meter: Meter) => new CallMetrics(meter));
