/**
 * What a LangChain message says of an answer: the wire envelope as text, and blocks for what models see or hear.
 * Invariant: the envelope's text never holds data as base64, and a block is only made of what providers take,
 * since one that they refuse ends the run.
 */
import type { ContentBlock as LangChainBlock } from '@langchain/core/messages';
import { type ContentBlock, type EmbeddedResource, sizeOfBase64 } from '../contract/content';
import type { WireResult } from '../contract/result';

/** The images that every provider with images takes. */
const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

type Media =
  | LangChainBlock.Multimodal.Image
  | LangChainBlock.Multimodal.Audio
  | LangChainBlock.Multimodal.File;

function withoutBlob(resource: EmbeddedResource['resource']): object {
  if (!('blob' in resource)) return resource;
  const { blob, ...described } = resource;
  return { ...described, size: sizeOfBase64(blob) };
}

/** A block in the envelope: with its size in bytes instead of its data. */
function described(block: ContentBlock): object {
  if (block.type === 'resource') return { ...block, resource: withoutBlob(block.resource) };
  if (!('data' in block)) return block;
  const { data, ...others } = block;
  return { ...others, size: sizeOfBase64(data) };
}

function toMedia(data: string, mimeType: string): readonly Media[] {
  if (data === '') return [];
  if (IMAGES.includes(mimeType)) return [{ type: 'image', mimeType, data }];
  if (mimeType.startsWith('audio/')) return [{ type: 'audio', mimeType, data }];
  return mimeType === 'application/pdf' ? [{ type: 'file', mimeType, data }] : [];
}

function mediaOf(block: ContentBlock): readonly Media[] {
  if (block.type === 'image' || block.type === 'audio') return toMedia(block.data, block.mimeType);
  if (block.type !== 'resource' || !('blob' in block.resource)) return [];
  const { blob, mimeType = '' } = block.resource;
  return toMedia(blob, mimeType);
}

/** The envelope as text, without data. */
export function toEnvelopeText(wire: WireResult): string {
  if (wire.isError || wire.content === undefined) return JSON.stringify(wire);
  return JSON.stringify({ ...wire, content: wire.content.map(described) });
}

/** The content of a message: the envelope, and after it what models see or hear. */
export function toMessageContent(
  wire: WireResult,
  carriesMedia: boolean,
): string | (LangChainBlock.Text | Media)[] {
  const text = toEnvelopeText(wire);
  const media = wire.isError || !carriesMedia ? [] : (wire.content ?? []).flatMap(mediaOf);
  return media.length === 0 ? text : [{ type: 'text', text }, ...media];
}
