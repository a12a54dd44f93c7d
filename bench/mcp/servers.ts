/**
 * The servers that are measured: a toolkit, and what one writes by hand on the same SDK.
 * Invariant: both answer a call with what it was called with, checked on the way in and on the way out.
 */
import { createMcpHandler as createSdkHandler, McpServer } from '@modelcontextprotocol/server';
import { type Class, createToolkit, type Logger, Scopes, SideEffect, Tool } from 'toolcrib';
import { createMcpHandler, type McpHandler } from 'toolcrib/mcp';
import { SHAPES, type Shape } from '../shapes';

const DESCRIPTION = 'Answers with what it was called with';
/** A bound that is counted, and that no measured request reaches. */
const MANY = { limit: 2 ** 31 - 1, windowMs: 60_000 };

const nothing = () => {};
const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The name under which models call a tool. */
export function nameOf(index: number): string {
  return `bench_echo_${index}`;
}

/** The shape of a name. @throws TypeError where there is none. */
export function shapeOf(name: string | undefined): Shape {
  const shape = SHAPES.find((one) => one.name === name);
  if (shape === undefined) throw new TypeError(`there is no shape ${name}`);
  return shape;
}

function toolOf({ dto }: Shape, index: number): Class {
  const declared = { name: `bench.echo_${index}`, version: '1.0.0', description: DESCRIPTION };
  @Tool({ ...declared, input: dto, output: dto })
  @Scopes('bench:call')
  @SideEffect('none')
  class Echo {
    execute(input: object): object {
      return input;
    }
  }
  return Echo;
}

/** A toolkit with as many tools of a shape, served with the limits that it has by default. */
export async function ourHandler(shape: Shape, tools = 1): Promise<McpHandler> {
  const classes = Array.from({ length: tools }, (_, index) => toolOf(shape, index));
  const toolkit = await createToolkit({
    discover: { classes },
    logger: silent,
    rateLimit: { perPrincipal: MANY },
  });
  const principal = { id: 'bench', scopes: ['bench:call'] };
  return createMcpHandler(toolkit, { principal: () => principal, rateLimit: MANY });
}

/** What the schema of a shape leaves to the handler: the default of a profile. */
function complete(shape: Shape, input: object): object {
  return shape.name === 'M' ? { limit: 10, ...input } : input;
}

/** The same by hand, as the SDK's documentation writes it. */
export function sdkHandler(shape: Shape, tools = 1) {
  const { zod } = shape;
  if (zod === undefined) throw new TypeError(`the shape ${shape.name} has no zod schema`);
  const config = { description: DESCRIPTION, inputSchema: zod, outputSchema: zod };
  return createSdkHandler(() => {
    const server = new McpServer({ name: 'by-hand', version: '1.0.0' });
    for (let index = 0; index < tools; index += 1) {
      server.registerTool(nameOf(index), config, async (input) => {
        const answer = complete(shape, Object(input));
        return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
      });
    }
    return server;
  });
}
