/**
 * The tools of the conformance suite that answer with content, report progress or fail.
 * Invariant: each answers what the suite's own description of its scenario wants, through public names alone.
 */
import { setTimeout } from 'node:timers/promises';
import { content, NoInput, Scopes, SideEffect, Tool, type ToolContext, ToolError } from 'toolcrib';

const version = '1.0.0';
/** A red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A header, and no sound. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** Answers with content of every kind. */
@Scopes()
@SideEffect('none')
export class ContentTools {
  @Tool({ name: 'test_simple_text', version, description: 'Answers a text', input: NoInput })
  text() {
    return content([{ type: 'text', text: 'This is a simple text response for testing.' }]);
  }

  @Tool({ name: 'test_image_content', version, description: 'Answers an image', input: NoInput })
  image() {
    return content([{ type: 'image', data: PNG, mimeType: 'image/png' }]);
  }

  @Tool({ name: 'test_audio_content', version, description: 'Answers a sound', input: NoInput })
  audio() {
    return content([{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]);
  }

  @Tool({ name: 'test_embedded_resource', version, description: 'Answers a resource', input: NoInput })
  resource() {
    const text = 'This is an embedded resource content.';
    return content([
      { type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text } },
    ]);
  }

  @Tool({
    name: 'test_multiple_content_types',
    version,
    description: 'Answers content of several kinds',
    input: NoInput,
  })
  several() {
    const text = JSON.stringify({ test: 'data', value: 123 });
    const uri = 'test://mixed-content-resource';
    return content([
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource: { uri, mimeType: 'application/json', text } },
    ]);
  }

  @Tool({ name: 'test_error_handling', version, description: 'Fails', input: NoInput })
  fail() {
    const message = 'This tool intentionally returns an error for testing';
    throw new ToolError({ code: 'intended', message, retryable: false });
  }

  @Tool({ name: 'test_tool_with_progress', version, description: 'Reports how far it is', input: NoInput })
  async progress(_input: NoInput, context: ToolContext) {
    for (const progress of [0, 50, 100]) {
      context.progress({ progress, total: 100 });
      await setTimeout(50);
    }
    return content([{ type: 'text', text: 'done' }]);
  }

  @Tool({ name: 'test_logging_tool', version, description: 'Logs', input: NoInput })
  log(_input: NoInput, context: ToolContext) {
    context.logger.info({}, 'a line of a handler');
    return content([{ type: 'text', text: 'logged' }]);
  }
}
