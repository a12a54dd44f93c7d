/**
 * Tools whose effects are rows of a place: `money.wire` is destructive, `money.charge` writes, and `money.transfer`
 * writes once it has asked two questions itself.
 * Invariant: a handler adds its row after everything else that it does.
 */
import { interrupt } from '@langchain/langgraph';
import {
  createToolkit,
  type Ledger,
  type LedgerState,
  Scopes,
  SideEffect,
  Tool,
  type ToolContext,
  type ToolkitOptions,
} from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import { WireInput } from '../../fixtures/approval-runs';
import { silent } from '../../fixtures/langgraph-tools';
import type { Place } from './places';

/** What happens around an effect. */
export interface Around {
  /** Before it. */
  readonly before?: (callId: string) => unknown;
  /** Once the row is there. */
  readonly after?: (callId: string) => unknown;
  /** Once the ledger has recorded how the call ended. */
  readonly recorded?: (callId: string, state: LedgerState | 'free') => unknown;
}

/** Tells when the ledger has recorded how a call ended. */
function telling(ledger: Ledger, recorded: NonNullable<Around['recorded']>): Ledger {
  const calls = new Map<string, string>();
  return {
    claim: (claim) => {
      calls.set(claim.key, claim.callId);
      return ledger.claim(claim);
    },
    end: async (key, token, outcome) => {
      const isEnded = await ledger.end(key, token, outcome);
      await recorded(calls.get(key) ?? '', outcome.state);
      return isEnded;
    },
    settled: (key, signal) => ledger.settled(key, signal),
    get: (key) => ledger.get(key),
    list: (query) => ledger.list(query),
    settle: (key, settlement) => ledger.settle(key, settlement),
  };
}

/** Makes the tools over a place. */
export async function moneyTools(
  { add, ledger }: Pick<Place, 'add' | 'ledger'>,
  { before, after, recorded = () => {} }: Around = {},
  options: Partial<ToolkitOptions> = {},
) {
  async function act(tool: string, { amount }: WireInput, context: ToolContext): Promise<void> {
    await before?.(context.callId);
    await add({ thread: context.conversationId ?? '', call: context.callId, tool, amount });
    await after?.(context.callId);
  }
  @Scopes()
  class Money {
    @Tool({ name: 'money.wire', version: '1.0.0', description: 'Wires money', input: WireInput })
    @SideEffect('destructive')
    async wire(input: WireInput, context: ToolContext): Promise<unknown> {
      await act('wire', input, context);
      return input.amount;
    }

    @Tool({ name: 'money.charge', version: '1.0.0', description: 'Charges', input: WireInput })
    @SideEffect('write')
    async charge(input: WireInput, context: ToolContext): Promise<unknown> {
      await act('charge', input, context);
      return input.amount;
    }

    @Tool({ name: 'money.transfer', version: '1.0.0', description: 'Transfers', input: WireInput })
    @SideEffect('write')
    async transfer(input: WireInput, context: ToolContext): Promise<unknown> {
      const { callId } = context;
      const answers: unknown[] = [interrupt({ ask: 'first', callId }), interrupt({ ask: 'second', callId })];
      await act('transfer', input, context);
      return answers;
    }
  }
  const toolkit = await createToolkit({
    discover: { classes: [Money] },
    logger: silent,
    ledger: telling(ledger, recorded),
    timeoutMs: 10_000,
    ...options,
  });
  return { toolkit, tools: toLangChainTools(toolkit) };
}

/** A call of one of the tools. */
export function call(id: string, tool: 'wire' | 'charge' | 'transfer', amount: number) {
  return { id, name: `money_${tool}`, args: { amount } };
}
