/**
 * The types of mappings of errors.
 * Invariant: a mapping knows the declared input, and an answer without code, message or flag does not compile.
 */
import { IsString } from 'class-validator';
import { type ErrorMapping, Tool } from 'toolcrib';

class Input {
  @IsString() order_id!: string;
}

const base = { name: 'a.b', version: '1.0.0', description: 'd', input: Input } as const;

@Tool({
  ...base,
  mapError: (_error, { tool, input }) => ({
    code: 'order_gone',
    message: `${tool}: ${input.order_id}`,
    retryable: false,
  }),
})
export class Mapped {
  execute(_input: Input): void {}
}

// @ts-expect-error: the input has no such member
Tool({ ...base, mapError: (_error, { input }) => input.amount });

// @ts-expect-error: a flag is missing
export const unfinished: ErrorMapping = () => ({ code: 'order_gone', message: 'Gone.' });

export const nothing: ErrorMapping = () => undefined;
