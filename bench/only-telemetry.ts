import 'reflect-metadata';
import { tool } from '@langchain/core/tools';
import { measure } from './report';
import { SHAPES } from './shapes';
import { observedCalls } from './telemetry';

const answer = { id: 'order-1', done: true };
async function main() {
  for (const shape of SHAPES.filter(({ name }) => ['S', 'M'].includes(name))) {
    const made = tool(async () => answer, {
      name: 'bench_call',
      description: 'x',
      schema: shape.zod as never,
    });
    await measure(() =>
      observedCalls(
        shape,
        (payload) => (made as any).invoke(payload),
        () => answer,
      ),
    );
  }
}
void main();
