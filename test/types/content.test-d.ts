/**
 * Who may answer content, and what a call of it gives.
 * Invariant: with a declared output the structured result is required, and calls infer that result alone.
 */
import { IsDate, IsInt } from 'class-validator';
import {
  BaseTool,
  type Content,
  type ContentBlock,
  type ContentData,
  content,
  NoInput,
  Tool,
  type Toolkit,
  type ToolResult,
} from 'toolcrib';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function expectType<Expected>() {
  return <Actual>(_value: Actual, ..._proof: Equal<Actual, Expected> extends true ? [] : [never]): void => {};
}

class Output {
  @IsInt() total!: number;
  @IsDate() at!: Date;
}

class Loose {
  total?: number;
}

const base = { name: 'a.b', version: '1.0.0', description: 'd', input: NoInput };
const image: ContentBlock<ContentData> = { type: 'image', data: new Uint8Array(3), mimeType: 'image/png' };

@Tool({ ...base, output: Output })
class Beside extends BaseTool<NoInput, Output> {
  execute(): Output | Content<Output> {
    return content([image], new Output());
  }
}

@Tool(base)
class Instead extends BaseTool<NoInput, null> {
  async execute(): Promise<Content<null>> {
    return content([image, { type: 'text', text: 'x', annotations: { audience: ['user'] } }]);
  }
}

// @ts-expect-error an output is declared, and the content is alone
@Tool({ ...base, output: Output })
export class Lacks {
  execute(): Content<null> {
    return content([image]);
  }
}

// @ts-expect-error an output is declared, and the content is alone, also where all of the output is optional
@Tool({ ...base, output: Loose })
export class LacksLoose {
  execute(): Content<null> {
    return content([image]);
  }
}

// @ts-expect-error the structured result is not the declared output
@Tool({ ...base, output: Output })
export class Other {
  execute(): Content<string> {
    return content([image], 'x');
  }
}

class Service {
  @Tool({ ...base, output: [Output] })
  listed(): Promise<Content<Output[]>> {
    return Promise.resolve(content([image], [new Output()]));
  }
  @Tool({ ...base, output: Number })
  counted(): number | Content<number> {
    return content([image], 1);
  }
  @Tool(base)
  alone(): Content<null> | undefined {
    return content([image]);
  }
  // @ts-expect-error an output is declared, and the content is alone
  @Tool({ ...base, output: Number })
  lacks(): Promise<Content<null>> {
    return Promise.resolve(content([image]));
  }
}

// @ts-expect-error there is no such type of block
content([{ type: 'video', data: '', mimeType: 'video/mp4' }]);
// @ts-expect-error an image has a type of media
content([{ type: 'image', data: '' }]);
// @ts-expect-error data is bytes or text
content([{ type: 'image', data: 1, mimeType: 'image/png' }]);

export async function infer(toolkit: Toolkit, tool: Beside, instead: Instead): Promise<void> {
  type Wanted = ToolResult<{ total: number; at: string }>;
  expectType<Wanted>()(await toolkit.invoke(Beside, {}));
  expectType<Wanted>()(await tool.invoke({}));
  expectType<ToolResult<null>>()(await toolkit.invoke(Instead, {}));
  expectType<ToolResult<null>>()(await instead.invoke({}));
  expectType<ToolResult<{ total: number; at: string }[]>>()(await toolkit.invoke([Service, 'listed'], {}));
  expectType<ToolResult<number>>()(await toolkit.invoke([Service, 'counted'], {}));
  const result = await toolkit.invoke('a.b', {});
  if (result.success) expectType<readonly ContentBlock[] | undefined>()(result.content);
  const [block] = (result.success && result.content) || [];
  if (block?.type === 'image') expectType<string>()(block.data);
}
