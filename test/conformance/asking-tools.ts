/**
 * The tools of the conformance suite that ask the person at the client.
 * Invariant: they ask by `context.requestInput` alone; how many requests a call takes is not their concern.
 */
import { IsBoolean, IsString } from 'class-validator';
import { content, NoInput, Scopes, SideEffect, Tool, type ToolContext } from 'toolcrib';

const version = '1.0.0';

class NameForm {
  @IsString()
  name!: string;
}

class ColorForm {
  @IsString()
  color!: string;
}

class ConfirmForm {
  @IsBoolean()
  ok!: boolean;
}

function text(words: string) {
  return content([{ type: 'text', text: words }]);
}

/** Asks one thing and another. */
@Scopes()
@SideEffect('none')
export class AskingTools {
  @Tool({
    name: 'test_input_required_result_elicitation',
    version,
    description: 'Asks for a name',
    input: NoInput,
  })
  async name(_input: NoInput, context: ToolContext) {
    const answer = await context.requestInput(NameForm, { key: 'user_name', message: 'What is your name?' });
    return text(answer?.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello, whoever you are!');
  }

  @Tool({
    name: 'test_input_required_result_request_state',
    version,
    description: 'Asks for confirmation',
    input: NoInput,
  })
  async confirm(_input: NoInput, context: ToolContext) {
    const answer = await context.requestInput(ConfirmForm, { key: 'confirm', message: 'Please confirm' });
    return text(answer?.action === 'accept' ? 'state-ok' : 'not confirmed');
  }

  @Tool({
    name: 'test_input_required_result_tampered_state',
    version,
    description: 'Asks for confirmation, too',
    input: NoInput,
  })
  confirmToo(input: NoInput, context: ToolContext) {
    return this.confirm(input, context);
  }

  @Tool({
    name: 'test_input_required_result_multi_round',
    version,
    description: 'Asks for a name, then for a color',
    input: NoInput,
  })
  async twice(_input: NoInput, context: ToolContext) {
    const name = await context.requestInput(NameForm, { key: 'step1', message: 'What is your name?' });
    const color = await context.requestInput(ColorForm, {
      key: 'step2',
      message: 'Which color do you like?',
    });
    return text(`${name?.action}, ${color?.action}`);
  }

  @Tool({
    name: 'test_streaming_elicitation',
    version,
    description: 'Reports progress and asks for a name',
    input: NoInput,
  })
  stream(input: NoInput, context: ToolContext) {
    context.progress({ progress: 1, total: 2 });
    return this.name(input, context);
  }
}
