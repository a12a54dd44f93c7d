/**
 * Calls that tools make, under the span of an instrumented MCP server (TEL-02).
 * Invariant: that span is the one of the call that it serves; each other call has one of its own below it.
 */
import { context, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { createToolkit, Scopes, SideEffect, Tool, ToolError, type Toolkit } from 'toolcrib';
import { ATTRIBUTES, telemetry } from 'toolcrib/telemetry';
import { inMemorySdk } from '../fixtures/in-memory-sdk';
import { silent } from '../fixtures/langgraph-tools';

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

@Tool({ name: 'nested.inner', version: '1.0.0', description: 'Fails' })
@Scopes()
@SideEffect('none')
class Inner {
  execute(): never {
    throw new ToolError({ code: 'inner_failed', message: 'No.', retryable: false });
  }
}

@Tool({ name: 'nested.outer', version: '2.0.0', description: 'Calls another tool' })
@Scopes()
@SideEffect('none')
class Outer {
  toolkit: Toolkit | undefined;

  async execute() {
    await this.toolkit?.invoke('nested.inner', {});
    await this.toolkit?.invoke('nested.inner', { unknown: 1 });
    return 'done';
  }
}

it('a tool that calls others keeps its span, and theirs hang below', async () => {
  const sdk = inMemorySdk();
  const outer = new Outer();
  const toolkit = await createToolkit({
    discover: { classes: [Inner], instances: [outer] },
    observers: [telemetry(sdk.providers)],
    logger: silent,
  });
  outer.toolkit = toolkit;
  const attributes = { [ATTRIBUTES.mcpMethod]: 'tools/call' };
  const server = sdk.providers.tracerProvider
    .getTracer('mcp')
    .startSpan('tools/call nested_outer', { kind: SpanKind.SERVER, attributes });
  await context.with(trace.setSpan(context.active(), server), () => toolkit.invoke('nested.outer', {}));
  server.end();
  const { spanId } = server.spanContext();
  expect(
    sdk
      .spans()
      .map((span) => [
        span.name,
        span.attributes[ATTRIBUTES.tool],
        span.attributes[ATTRIBUTES.version],
        span.attributes[ATTRIBUTES.outcome],
        span.attributes[ATTRIBUTES.errorType],
        span.parentSpanContext?.spanId,
      ]),
  ).toEqual([
    ['execute_tool nested.inner', 'nested.inner', '1.0.0', 'failure', 'inner_failed', spanId],
    ['execute_tool nested.inner', 'nested.inner', '1.0.0', 'failure', 'invalid_input', spanId],
    ['tools/call nested_outer', 'nested.outer', '2.0.0', 'success', undefined, undefined],
  ]);
});
