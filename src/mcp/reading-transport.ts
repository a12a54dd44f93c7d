/**
 * The transport of stdio, read along the way.
 * Invariant: it knows which requests wait for an answer, on either side.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { within } from '../contract/within';
import { readMessage } from './exchange';

/** How long a request may take to be answered while no call runs, in milliseconds. */
const ANSWER_MS = 1_000;

/** The calls that run, as the door knows them. */
interface RunningCalls {
  readonly isBusy: boolean;
  settle(): Promise<void>;
}

function answeredBy(message: JSONRPCMessage): RequestId | undefined {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? message.id : undefined;
}

/** The id of a request that its client has cancelled, which is never answered. */
function cancelledBy(message: JSONRPCMessage): unknown {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.requestId;
}

/** Hands on what comes in over stdio, as the SDK lets it through; after `deafen` nothing comes in any more. */
export class ReadingTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private isDeaf = false;
  private hasEnded = false;
  /** What the client has asked. */
  private readonly waiting = new Set<unknown>();
  /** What the client was asked. */
  private readonly asked = new Set<RequestId>();
  private onAnswered: (() => void) | undefined;

  constructor(private readonly wire: Transport) {}

  start(): Promise<void> {
    this.wire.onclose = () => this.onclose?.();
    this.wire.onerror = (error) => this.onerror?.(error);
    this.wire.onmessage = (message) => {
      if (!this.isDeaf) this.take(message);
    };
    return this.wire.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) {
      this.asked.add(message.id);
      if (this.hasEnded) queueMicrotask(() => this.answerForClient(message.id));
    }
    await this.wire.send(message);
    this.note(answeredBy(message));
  }

  close(): Promise<void> {
    return this.wire.close();
  }

  deafen(): void {
    this.isDeaf = true;
  }

  /** Nothing comes in any more: settles when all that came has its answer, or nobody works on one. */
  async finish(calls: RunningCalls): Promise<void> {
    this.hasEnded = true;
    for (const id of this.asked) this.answerForClient(id);
    do {
      await calls.settle();
      await within(ANSWER_MS, this.answered(), () => new Error('not answered')).catch(() => {});
    } while (this.waiting.size > 0 && calls.isBusy);
  }

  private take(message: JSONRPCMessage): void {
    const { waiting } = this;
    // A subscription is answered only by its end.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') waiting.add(message.id);
    this.note(cancelledBy(message));
    const answered = answeredBy(message);
    if (answered !== undefined) this.asked.delete(answered);
    this.onmessage?.(readMessage(message));
  }

  private note(id: unknown): void {
    if (this.waiting.delete(id) && this.waiting.size === 0) this.onAnswered?.();
  }

  private async answered(): Promise<void> {
    if (this.waiting.size === 0) return;
    await new Promise<void>((resolve) => {
      this.onAnswered = resolve;
    });
  }

  /** A client that has closed its end answers no question. */
  private answerForClient(id: RequestId): void {
    if (!this.asked.delete(id)) return;
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'The client has gone.' } });
  }
}
