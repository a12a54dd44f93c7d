/**
 * The tools of the conformance suite that ask the person at the client, or the client itself.
 * Invariant: they ask by their context alone; how many requests a call takes is not their concern.
 */
import { IsBoolean, IsString } from 'class-validator';
import { type ClientQuestion, content, NoInput, Scopes, SideEffect, Tool, type ToolContext } from 'toolcrib';

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

/** A question for the client's model. */
function sampling(key: string, words: string, maxTokens = 100): ClientQuestion {
  const messages = [{ role: 'user', content: { type: 'text', text: words } }];
  return { key, method: 'sampling/createMessage', params: { messages, maxTokens } };
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

  @Tool({
    name: 'test_input_required_result_sampling',
    version,
    description: "Asks the client's model",
    input: NoInput,
  })
  async sample(_input: NoInput, context: ToolContext) {
    const question = sampling('capital_question', 'What is the capital of France?');
    return text(JSON.stringify(await context.requestFromClient(question)));
  }

  @Tool({
    name: 'test_missing_capability',
    version,
    description: "Needs the client's model",
    input: NoInput,
  })
  need(input: NoInput, context: ToolContext) {
    return this.sample(input, context);
  }

  @Tool({
    name: 'test_input_required_result_list_roots',
    version,
    description: "Asks for the client's folders",
    input: NoInput,
  })
  async roots(_input: NoInput, context: ToolContext) {
    return text(
      JSON.stringify(await context.requestFromClient({ key: 'client_roots', method: 'roots/list' })),
    );
  }

  @Tool({
    name: 'test_input_required_result_multiple_inputs',
    version,
    description: 'Asks for several things at once',
    input: NoInput,
  })
  async several(_input: NoInput, context: ToolContext) {
    const answers = await Promise.all([
      context.requestInput(NameForm, { key: 'user_name', message: 'What is your name?' }),
      context.requestFromClient(sampling('greeting', 'Generate a greeting', 50)),
      context.requestFromClient({ key: 'client_roots', method: 'roots/list' }),
    ]);
    return text(JSON.stringify(answers));
  }

  @Tool({
    name: 'test_input_required_result_capabilities',
    version,
    description: 'Asks the person where the client has a form, and else its model',
    input: NoInput,
  })
  async either(input: NoInput, context: ToolContext) {
    const answer = await context.requestInput(NameForm, { key: 'user_name', message: 'What is your name?' });
    return answer === undefined ? this.sample(input, context) : text(answer.action);
  }
}
