/**
 * How the command line shows content and progress.
 * Invariant: data never reaches a terminal, and progress never reaches standard output.
 */
import { content, NoInput, Scopes, SideEffect, Tool, type ToolContext } from 'toolcrib';
import { toContentLines, toProgressLine } from '../../src/cli/content-lines';
import { type Workspace, workspaceOfClasses } from './workspace';

const data = Buffer.from('12345');

@Scopes()
@SideEffect('none')
class Camera {
  @Tool({ name: 'camera.shoot', version: '1.0.0', description: 'Shoot', input: NoInput })
  shoot(_input: NoInput, { progress }: ToolContext) {
    progress({ progress: 1, total: 2, message: 'focus\u001b[2J\nshoot' });
    progress({ progress: 2 });
    return content([
      { type: 'text', text: 'a\u001b[2Jb' },
      { type: 'image', data, mimeType: 'image/png' },
    ]);
  }

  @Tool({ name: 'camera.measure', version: '1.0.0', description: 'Measure', input: NoInput })
  measure() {
    return content([{ type: 'image', data, mimeType: 'image/png' }], { width: 7 });
  }
}

let camera: Workspace;
beforeAll(() => {
  camera = workspaceOfClasses(Camera);
});
afterAll(() => camera.remove());

describe('toolcrib call', () => {
  it('says what content there is, below the result', async () => {
    const { exitCode, stdout } = await camera.run(['call', 'camera.measure']);
    expect([exitCode, stdout]).toEqual([0, '{\n  "width": 7\n}\nimage/png, 5 bytes\n']);
  });

  it('says only what content there is where there is no result', async () => {
    const { stdout } = await camera.run(['call', 'camera.shoot']);
    expect(stdout).toBe('a\\u001b[2Jb\nimage/png, 5 bytes\n');
  });

  it('prints the whole envelope as JSON', async () => {
    expect((await camera.run(['call', 'camera.measure', '--json'])).json()).toEqual({
      isError: false,
      result: { width: 7 },
      content: [{ type: 'image', data: data.toString('base64'), mimeType: 'image/png' }],
    });
  });

  it.each([[[]], [['--json']]])(
    'tells progress to a terminal alone, on standard error: %j',
    async (flags) => {
      const argv = ['call', 'camera.shoot', ...flags];
      const [quiet, shown] = [await camera.run(argv), await camera.run(argv, { isTerminal: true })];
      expect(quiet.stderr).toBe('');
      expect(shown.stdout).toBe(quiet.stdout);
      expect(shown.stderr).toBe('1/2 focus[2J shoot\n2\n');
    },
  );
});

describe('a line', () => {
  it('is there for every block', () => {
    const blob = data.toString('base64');
    expect(
      toContentLines([
        { type: 'audio', data: blob, mimeType: 'audio/wav' },
        { type: 'resource_link', uri: 'https://a/b', name: 'b' },
        { type: 'resource', resource: { uri: 'a:b', blob } },
        { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/csv', blob } },
        { type: 'resource', resource: { uri: 'a:b', text: 'x,y' } },
      ]),
    ).toBe(
      [
        'audio/wav, 5 bytes',
        'b: https://a/b',
        'a:b: application/octet-stream, 5 bytes',
        'a:b: text/csv, 5 bytes',
        'a:b:\nx,y',
        '',
      ].join('\n'),
    );
  });

  it('tells progress with and without a total', () => {
    expect(toProgressLine({ progress: 1, total: 3, message: 'm' })).toBe('1/3 m');
    expect(toProgressLine({ progress: 0.5 }).trim()).toBe('0.5');
  });
});
