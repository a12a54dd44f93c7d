/**
 * A tool that a pattern finds.
 * Invariant: its DTO needs class-validator alone.
 */
import { Length } from 'class-validator';
import { Scopes, SideEffect, Tool } from 'toolcrib';

export class PingInput {
  @Length(1, 5) word!: string;
}

@Tool({ name: 'net.ping', version: '1.0.0', description: 'Answer a word', input: PingInput, output: String })
@Scopes()
@SideEffect('none')
export class PingTool {
  execute(input: PingInput): string {
    return `${input instanceof PingInput} ${input.word}`;
  }
}
