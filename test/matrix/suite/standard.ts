/**
 * A tool for a compiler that is told to emit standard decorators.
 * Invariant: evaluating the compiled file throws.
 */
import { Tool } from 'toolcrib';

@Tool({ name: 'standard.tool', version: '1.0.0', description: 'Cannot be', output: String })
export class StandardTool {
  execute(): string {
    return '';
  }
}
