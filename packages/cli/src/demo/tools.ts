import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CallOptions, Gate, ToolResult } from '@countersign/core'
import { runCommand } from '@countersign/node'

/** The scripted agent's tools, each behind the gate: calling one asks first. */
export interface DemoTools {
  readFile(path: string, options?: CallOptions): Promise<ToolResult>
  writeFile(path: string, content: string, options?: CallOptions): Promise<ToolResult>
  deleteFile(path: string, options?: CallOptions): Promise<ToolResult>
  run(command: string, options?: CallOptions): Promise<ToolResult>
  frobnicate(target: string, options?: CallOptions): Promise<ToolResult>
  sendEmail(to: string, body: string, options?: CallOptions): Promise<ToolResult>
}

/** Real tools on real files; only the last two pretend. Whatever they do, they do it to the frozen arguments. */
export function createTools(gate: Gate, project: string, always: CallOptions): DemoTools {
  const at = (path: string): string => resolve(project, path)
  const builtin = { source: 'builtin' } as const
  const read = gate.wrap(
    { name: 'read_file', run: ({ path }: { path: string }) => readFileSync(at(path), 'utf8') },
    builtin,
  )
  const write = gate.wrap(
    {
      name: 'write_file',
      run: ({ path, content }: { path: string; content: string }) => writeFileSync(at(path), content),
    },
    builtin,
  )
  const remove = gate.wrap({ name: 'delete_file', run: ({ path }: { path: string }) => rmSync(at(path)) }, builtin)
  const shell = gate.wrap(
    { name: 'execute_command', run: ({ command }: { command: string }) => runInProject(command, project) },
    builtin,
  )
  const frobnicate = gate.wrap({
    name: 'frobnicate',
    run: ({ target }: { target: string }) => `frobnicated ${target} (only pretended)`,
  })
  const email = gate.wrap({
    name: 'send_email',
    run: ({ to }: { to: string; body: string }) => `sent to ${to} (only pretended)`,
  })
  return {
    readFile: (path, options) => read({ path }, { ...always, ...options }),
    writeFile: (path, content, options) => write({ path, content }, { ...always, ...options }),
    deleteFile: (path, options) => remove({ path }, { ...always, ...options }),
    run: (command, options) => shell({ command }, { ...always, ...options }),
    frobnicate: (target, options) => frobnicate({ target }, { ...always, ...options }),
    sendEmail: (to, body, options) => email({ to, body }, { ...always, ...options }),
  }
}

async function runInProject(command: string, cwd: string): Promise<string> {
  const ended = await runCommand({ command }, { cwd, stdio: 'pipe', timeoutMs: 10_000 })
  if (ended.exitCode !== 0) throw new Error(ended.problem ?? `exit code ${ended.exitCode}`)
  return 'exit code 0'
}
