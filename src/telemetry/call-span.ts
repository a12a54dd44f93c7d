/**
 * The span of one call: `execute_tool {tool}`.
 * Invariant: a call has one span, and no other call has it. Where an instrumentation of MCP has made one for it already,
 * that one is used, and is neither named nor ended here.
 */
import {
  type Attributes,
  type Context,
  context,
  createTraceState,
  defaultTextMapGetter,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { CallRecord, ObservedCall } from '../contract/observer';
import { oncePer } from '../contract/once';
import type { ToolSpec } from '../contract/tool';
import type { SoundTraceContext } from '../contract/trace-context';
import type { JsonValue } from '../errors/body';
import { read, readObject } from '../invocation/mapping/read';
import { ATTRIBUTES, OPERATION, OTHER } from './names';

/** A longer id is cut, in characters. */
const MAX_CALL_ID = 128;
/** Recorded arguments and results are cut, in characters of their JSON. */
const MAX_RECORDED = 4_096;

/** What of a call's values its span holds. */
export interface Recorded {
  readonly arguments: boolean;
  readonly results: boolean;
}

/** Spans of MCP servers that are a call's: what that call calls is active within them too. */
const taken = new WeakSet<Span>();

/** The span in which an instrumentation of MCP serves this very call; SDK spans can be read, others tell nothing. */
function isOfMcpServer(span: Span): boolean {
  if (!span.isRecording() || read(span, 'kind') !== SpanKind.SERVER || taken.has(span)) return false;
  const attributes = readObject(span, 'attributes');
  return attributes !== undefined && read(attributes, ATTRIBUTES.mcpMethod) === 'tools/call';
}

/** W3C Trace Context, section 3.2.2: the parts of a well-formed `traceparent`. */
function toSpanContext({ traceparent, tracestate }: SoundTraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  // Of the flags only the sampled one is defined.
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true, ...state };
}

/** The context that a request brings: as the application's propagators read it, or else as W3C does. */
function broughtInto(active: Context, brought: SoundTraceContext): Context {
  const { traceparent, tracestate, baggage } = brought;
  const carrier = {
    traceparent,
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(baggage === undefined ? {} : { baggage }),
  };
  const extracted = propagation.extract(active, carrier, defaultTextMapGetter);
  const isRead = trace.getSpanContext(extracted)?.traceId === brought.traceId;
  return isRead ? extracted : trace.setSpanContext(extracted, toSpanContext(brought));
}

function toText(value: JsonValue): string {
  return JSON.stringify(value).slice(0, MAX_RECORDED);
}

/** The span of one call, which begins when it is made. */
export class CallSpan {
  readonly traceId: string;
  private readonly span: Span;
  private readonly isOurs: boolean;
  private readonly context: Context;

  constructor(
    tracer: Tracer,
    call: ObservedCall,
    private readonly recorded: Recorded,
  ) {
    const active = context.active();
    const outer = trace.getSpan(active);
    const { tool } = call;
    const { name, attributes } = tool === undefined ? OF_NO_TOOL : startOf(tool);
    if (outer !== undefined && isOfMcpServer(outer)) {
      taken.add(outer);
      this.isOurs = false;
      this.span = outer.setAttributes(attributes);
      this.context = active;
    } else {
      const { traceContext } = call;
      const parent = traceContext === undefined ? active : broughtInto(active, traceContext);
      const links =
        traceContext === undefined || outer === undefined ? [] : [{ context: outer.spanContext() }];
      this.isOurs = true;
      this.span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes, links }, parent);
      this.context = trace.setSpan(parent, this.span);
    }
    this.span.setAttribute(ATTRIBUTES.callId, String(call.callId).slice(0, MAX_CALL_ID));
    this.traceId = this.span.spanContext().traceId;
  }

  /** Runs something with the span as the active one. */
  within(run: () => void): void {
    context.with(this.context, run);
  }

  /** Says how the call has ended, and ends the span. */
  end(record: CallRecord): void {
    const { error } = record;
    if (this.span.isRecording()) setEnd(this.span, record, this.recorded);
    if (!this.isOurs) return;
    if (error !== undefined) this.span.setStatus({ code: SpanStatusCode.ERROR, message: error.code });
    this.span.end();
  }
}

/** What every span of a tool begins with. */
interface SpanStart {
  readonly name: string;
  readonly attributes: Attributes;
}

function spanStart(tool: string, more: Attributes = {}): SpanStart {
  const attributes = {
    [ATTRIBUTES.operation]: OPERATION,
    [ATTRIBUTES.tool]: tool,
    [ATTRIBUTES.toolType]: 'function',
    ...more,
  };
  return { name: `${OPERATION} ${tool}`, attributes };
}

const OF_NO_TOOL = spanStart(OTHER);
const startOf = oncePer(({ name, version, sideEffect }: ToolSpec) =>
  spanStart(name, { [ATTRIBUTES.version]: version, [ATTRIBUTES.sideEffect]: sideEffect.kind }),
);

function setEnd(span: Span, record: CallRecord, recorded: Recorded): void {
  const { outcome, attempts, replayed, approval, limiter, error } = record;
  span.setAttribute(ATTRIBUTES.outcome, outcome);
  span.setAttribute(ATTRIBUTES.attempt, attempts);
  if (replayed) span.setAttribute(ATTRIBUTES.replayed, replayed);
  if (approval !== undefined) span.setAttribute(ATTRIBUTES.approval, approval);
  if (limiter !== undefined) span.setAttribute(ATTRIBUTES.limiter, limiter);
  if (error !== undefined) span.setAttribute(ATTRIBUTES.errorType, error.code);
  if (record.isOutcomeUnknown) span.setAttribute(ATTRIBUTES.outcomeUnknown, true);
  const { exception } = record;
  if (exception !== undefined) {
    span.setAttribute(ATTRIBUTES.reference, exception.reference);
    // Neither its message nor its stack: they may hold what a caller has sent.
    span.addEvent('exception', { [ATTRIBUTES.exceptionType]: exception.type });
  }
  const args = recorded.arguments ? record.arguments() : undefined;
  if (args !== undefined) span.setAttribute(ATTRIBUTES.arguments, toText(args));
  const result = recorded.results ? record.result() : undefined;
  if (result !== undefined) span.setAttribute(ATTRIBUTES.result, toText(result));
}
