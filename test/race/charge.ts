/**
 * The tool of the proofs: a write, named by the reference that its author says.
 * Invariant: each execution adds one row, and answers with what the row says.
 */
import { randomUUID } from 'node:crypto';
import { IsInt, IsString } from 'class-validator';
import {
  createToolkit,
  type Ledger,
  type Logger,
  Scopes,
  SideEffect,
  Tool,
  type ToolContext,
  type Toolkit,
} from 'toolcrib';

/** What is charged. */
class ChargeInput {
  @IsString()
  reference!: string;

  @IsInt()
  cents!: number;
}

/** Carries a charge out; gives its name. */
export type Carry = (reference: string, execution: string, context: ToolContext) => Promise<void>;

@Tool({
  name: 'proof.charge',
  version: '1.0.0',
  owner: 'Proof',
  description: 'Charges an amount',
  input: ChargeInput,
  idempotencyKey: ({ reference }) => reference,
})
@Scopes()
@SideEffect('write')
class ChargeTool {
  constructor(private readonly carry: Carry) {}

  async execute({ reference }: ChargeInput, context: ToolContext): Promise<{ readonly execution: string }> {
    const execution = randomUUID();
    await this.carry(reference, execution, context);
    return { execution };
  }
}

/** Who calls. */
export const CALLER = { id: 'ada', scopes: [] };

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Makes the toolkit of one process. Its limits are those of the proof, not of an application. */
export function chargeToolkit(ledger: Ledger, carry: Carry): Promise<Toolkit> {
  return createToolkit({
    discover: { instances: [new ChargeTool(carry)] },
    ledger,
    rateLimit: false,
    concurrency: false,
    logger: silent,
  });
}
