/**
 * A chat model that needs no key and no network: it knows a few sentences, and what to do with an answer.
 * Invariant: what it says follows from the messages alone, so a conversation goes alike every time.
 */
import { randomUUID } from 'node:crypto';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { JsonValue, WireResult } from 'toolcrib';
import { answerOf } from './transcript';

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** A sentence that the model knows, and the calls that it tries: the next one where one is rejected. */
interface Sentence {
  readonly pattern: RegExp;
  readonly tries: (words: readonly string[]) => readonly Call[];
}

const OPERATIONS = new Map([
  ['+', 'add'],
  ['-', 'subtract'],
  ['*', 'multiply'],
  ['/', 'divide'],
]);

const SENTENCES: readonly Sentence[] = [
  {
    pattern: /refund (\d+)\.(\d\d) \w+ of ORD-(\d+)(?:.*\((REF-\d+)\))?/i,
    tries: ([units, cents, number, reference]) => [
      {
        name: 'orders_refund',
        args: {
          order_id: `ORD-${number}`,
          amount_minor: Number(`${units}${cents}`),
          refund_id: reference ?? `REF-${number}`,
        },
      },
    ],
  },
  {
    pattern: /cancel (ORD-\d+)/i,
    tries: ([order_id = '']) => [{ name: 'orders_cancel', args: { order_id } }],
  },
  {
    pattern: /parcel ([A-Z]{2}\d{9}[A-Z]{2})/,
    tries: ([tracking_number = '']) => [{ name: 'shipments_status', args: { tracking_number } }],
  },
  {
    pattern: /(\d+) ?([-+*/]) ?(\d+)/,
    tries: ([a, sign = '', b]) => [
      {
        name: 'math_calculator',
        args: { operation: OPERATIONS.get(sign) ?? sign, a: Number(a), b: Number(b) },
      },
    ],
  },
  {
    pattern: /(ORD-\d+)/,
    tries: ([order_id = '']) => [{ name: 'orders_lookup', args: { order_id } }],
  },
  {
    // At first it takes the user at their word; the tool then says what a reference looks like.
    pattern: /order (\d+)/i,
    tries: ([number = '']) => [
      { name: 'orders_lookup', args: { order_id: number } },
      { name: 'orders_lookup', args: { order_id: `ORD-${number}` } },
    ],
  },
];

const MAX_CALLS = 4;

function triesFor(text: string): readonly Call[] {
  for (const { pattern, tries } of SENTENCES) {
    const words = pattern.exec(text);
    if (words !== null) return tries(words.slice(1));
  }
  return [];
}

function inWords(result: JsonValue): string {
  if (typeof result !== 'object' || result === null) return String(result);
  if ('order_id' in result) {
    const { order_id, status, refunded_minor, total_minor, currency } = result;
    const [refunded, total] = [refunded_minor, total_minor].map((minor) => (Number(minor) / 100).toFixed(2));
    return `${order_id} is ${status}, and ${refunded} of ${total} ${currency} are refunded`;
  }
  return Object.entries(result)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}

function say(answer: WireResult | undefined): AIMessage {
  if (answer === undefined) return new AIMessage('I can look up, cancel and refund orders, and calculate.');
  return new AIMessage(
    answer.isError
      ? `I could not do that. ${answer.error.message}`
      : `This is what I found: ${inWords(answer.result)}.`,
  );
}

/** A failure is worth another call when it may pass, or when the arguments were at fault. */
function isWorthAnotherCall(answer: WireResult): boolean {
  if (!answer.isError) return false;
  const { code, retryable } = answer.error;
  // A person decides in their own time.
  return code === 'invalid_input' || (retryable && code !== 'approval_required');
}

/** Decides by the last thing that the user said and by what tools have answered since. */
function nextMessage(messages: readonly BaseMessage[]): AIMessage {
  const asked = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const answers = messages
    .slice(asked + 1)
    .filter((message) => ToolMessage.isInstance(message))
    .map(answerOf);
  const last = answers.at(-1);
  const isDone = last !== undefined && (!isWorthAnotherCall(last) || answers.length >= MAX_CALLS);
  const rejected = answers.filter((one) => one.isError && one.error.code === 'invalid_input').length;
  const call = isDone ? undefined : triesFor(messages[asked]?.text ?? '')[rejected];
  if (call === undefined) return say(last);
  return new AIMessage({ content: '', tool_calls: [{ ...call, id: randomUUID(), type: 'tool_call' }] });
}

interface ScriptedModelOptions extends BaseChatModelCallOptions {
  readonly tools?: BindToolsInput[];
}

/** The offline model. */
export class ScriptedModel extends BaseChatModel<ScriptedModelOptions> {
  constructor() {
    super({});
  }

  override _llmType(): string {
    return 'scripted';
  }

  /** The script names the tools that it calls, so the offered ones are only passed on. */
  override bindTools(tools: BindToolsInput[]) {
    return this.withConfig({ tools });
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = nextMessage(messages);
    return { generations: [{ text: message.text, message }] };
  }
}
