import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { COMMAND_LINE } from '@countersign/testing/command/command'
import { endOf } from '@countersign/testing/command/spawn-cli'
import type { Block } from './pages.ts'

const MARK = '\x01'

/** Runs the commands of one page, block by block. */
export interface Console {
  /** Writes a block that is a file: into the home if its path is below `~/.countersign/`, else into the folder. */
  write(block: Block): void
  /** Runs the `$` lines of a block; returns what each printed on either stream. */
  type(block: Block): Promise<readonly Typed[]>
}

export interface Typed {
  readonly command: string
  readonly expected: readonly string[]
  readonly printed: readonly string[]
}

/** Opens a console in an empty folder with its own home and the command. */
export function openConsole(root: string): Console {
  const [project, home, bin, cache] = ['project', 'home', 'bin', 'cache'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const folder of [project, home, bin]) mkdirSync(folder, { mode: 0o700 })
  const program = join(bin, 'countersign')
  writeFileSync(program, `#!/bin/sh\nexec ${COMMAND_LINE} --home '${home}' "$@"\n`)
  chmodSync(program, 0o755)
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, NODE_COMPILE_CACHE: cache }
  return {
    write({ path, text }) {
      const file = path.startsWith('~/.countersign/')
        ? join(home, path.slice('~/.countersign/'.length))
        : join(project, path)
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, text, { mode: 0o600 })
    },
    async type(block) {
      const commands = commandsOf(block.text)
      const script = commands
        .map(({ command }) => `${command}\nstatus=$?; printf '${MARK}\\n'; (exit $status)`)
        .join('\n')
      const { stdout } = await endOf(
        spawn('bash', ['--norc', '-c', `exec 2>&1\n${script}`], {
          cwd: project,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      )
      const printed = stdout.split(`${MARK}\n`)
      return commands.map((one, at) => ({ ...one, printed: linesOf(printed[at] ?? '') }))
    },
  }
}

function commandsOf(text: string): readonly Pick<Typed, 'command' | 'expected'>[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((one) => {
      const [command = '', ...expected] = linesOf(one)
      return { command, expected }
    })
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** Whether the output matches a page: `…` matches anything within a line or, on its own, any number of lines. */
export function isAsShown(printed: readonly string[], expected: readonly string[]): boolean {
  const pattern = expected
    .map((line) => (line === '…' ? '(?:.*\\n)*' : `${line.split('…').map(quote).join('.*')}\\n`))
    .join('')
  return new RegExp(`^${pattern}$`).test(printed.map((line) => `${line}\n`).join(''))
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
