/**
 * Content of a tool's answer beside or instead of its structured result: text, images, audio and resources, in
 * the shapes and names of MCP (2026-07-28, Tools › Tool Result).
 * Invariant: only what `content` made is content; data that looks like it stays data.
 */

/** For whom a block is meant, and how much it matters. */
export type ContentAnnotations = {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** From 0, least, to 1, most. */
  readonly priority?: number;
  /** An ISO 8601 time. */
  readonly lastModified?: string;
};

/** Text. */
export type TextContent = {
  readonly type: 'text';
  readonly text: string;
  readonly annotations?: ContentAnnotations;
};

/** An image. */
export type ImageContent<Data = string> = {
  readonly type: 'image';
  readonly data: Data;
  readonly mimeType: string;
  readonly annotations?: ContentAnnotations;
};

/** A sound. */
export type AudioContent<Data = string> = {
  readonly type: 'audio';
  readonly data: Data;
  readonly mimeType: string;
  readonly annotations?: ContentAnnotations;
};

/** Where a resource is. */
export type ResourceLink = {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
  readonly annotations?: ContentAnnotations;
};

/** A resource itself, as text or as data. */
export type EmbeddedResource<Data = string> = {
  readonly type: 'resource';
  readonly resource:
    | { readonly uri: string; readonly mimeType?: string; readonly text: string }
    | { readonly uri: string; readonly mimeType?: string; readonly blob: Data };
  readonly annotations?: ContentAnnotations;
};

/** One block of content. It leaves with its data as base64. */
export type ContentBlock<Data = string> =
  | TextContent
  | ImageContent<Data>
  | AudioContent<Data>
  | ResourceLink
  | EmbeddedResource<Data>;

/** Data as authors have it: bytes, or base64 text. */
export type ContentData = Uint8Array | string;

const PARTS = Symbol.for('toolcrib.content');

/** What {@link content} makes: blocks, and a structured result of type `T`. */
export class Content<T> {
  declare readonly [PARTS]: ContentParts<T>;

  constructor(blocks: readonly ContentBlock<ContentData>[], result: T) {
    Object.defineProperty(this, PARTS, { value: { blocks, result } });
  }

  /** Content is the whole answer of a handler; within a result it would be lost. */
  toJSON(): never {
    throw new TypeError('content(…) is answered as a whole, and not within a result');
  }
}

/** What a handler has put into its content, not yet checked. */
export interface ContentParts<T = unknown> {
  readonly blocks: unknown;
  readonly result: T;
}

/** The structured result of a handler that answers `T`. */
export type StructuredResult<T> = T extends Content<infer R> ? R : T;

/**
 * Makes an answer of blocks, beside a structured result or instead of one. Blocks are checked, copied and turned
 * into base64 when the handler has answered.
 *
 * @example return content([{ type: 'image', data: png, mimeType: 'image/png' }], { width: 640 })
 */
export function content(blocks: readonly ContentBlock<ContentData>[]): Content<null>;
/** Makes an answer of blocks beside a structured result. */
export function content<T>(blocks: readonly ContentBlock<ContentData>[], result: T): Content<T>;
/** Takes what both forms take. */
export function content(
  blocks: readonly ContentBlock<ContentData>[],
  result: unknown = null,
): Content<unknown> {
  return new Content(blocks, result);
}

function isParts(value: unknown): value is ContentParts {
  return typeof value === 'object' && value !== null && 'blocks' in value && 'result' in value;
}

/** What is in a handler's answer where that is content, also of another installed copy of this package. */
export function contentPartsOf(answer: unknown): ContentParts | undefined {
  try {
    const isMarked = typeof answer === 'object' && answer !== null && PARTS in answer;
    return isMarked && isParts(answer[PARTS]) ? answer[PARTS] : undefined;
  } catch {
    // A proxy; it is judged as data.
    return undefined;
  }
}

/** How many bytes base64 text stands for. */
export function sizeOfBase64(text: string): number {
  return Math.floor((text.replace(/=+$/, '').length * 3) / 4);
}
