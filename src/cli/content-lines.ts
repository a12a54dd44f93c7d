/**
 * How content and progress of a call are written for people.
 * Invariant: data is told by its type and size, and never written to a terminal.
 */
import { type ContentBlock, sizeOfBase64 } from '../contract/content';
import type { ProgressUpdate } from '../contract/context';

function dataLine(mimeType: string, data: string): string {
  return `${mimeType}, ${sizeOfBase64(data)} bytes`;
}

function toLine(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return dataLine(block.mimeType, block.data);
    case 'resource_link':
      return `${block.name}: ${block.uri}`;
    case 'resource': {
      const { resource } = block;
      const { uri, mimeType = 'application/octet-stream' } = resource;
      return 'blob' in resource
        ? `${uri}: ${dataLine(mimeType, resource.blob)}`
        : `${uri}:\n${resource.text}`;
    }
  }
}

/** Writes the blocks of an answer one below the other. */
export function toContentLines(content: readonly ContentBlock[]): string {
  return content.map((block) => `${toLine(block)}\n`).join('');
}

/** Writes how far a call has come: `2/5 packed`. */
export function toProgressLine({ progress, total, message = '' }: ProgressUpdate): string {
  return `${progress}${total === undefined ? '' : `/${total}`} ${message}`;
}
