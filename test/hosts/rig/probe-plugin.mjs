// An opencode plugin for tests, which keeps every event it receives in FOLDER and answers from ANSWERS.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const keep = (name, event) => {
  mkdirSync(FOLDER, { recursive: true })
  const stamp = `${process.hrtime.bigint()}`.padStart(20, '0')
  writeFileSync(join(FOLDER, `../${stamp}.part`), JSON.stringify(event))
  renameSync(join(FOLDER, `../${stamp}.part`), join(FOLDER, `${stamp}-${name}.json`))
}

const answer = async (name, output) => {
  const { fail, args, hang = false, holdMs = 0 } = JSON.parse(readFileSync(ANSWERS, 'utf8'))[name] ?? {}
  if (hang) await new Promise(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, holdMs))
  if (args !== undefined) Object.assign(output.args, args)
  if (fail !== undefined) throw new Error(fail)
}

const hook = (name) => async (input, output) => {
  keep(name, { input, output })
  await answer(name, output)
}

export const Probe = async ({ directory, worktree }) => {
  keep('load', { directory, worktree })
  return {
    'chat.message': hook('chat.message'),
    'tool.execute.before': hook('tool.execute.before'),
    'tool.execute.after': hook('tool.execute.after'),
    'permission.ask': hook('permission.ask'),
    'shell.env': hook('shell.env'),
    event: async ({ event }) => {
      if (event.type.startsWith('session.') && !event.type.includes('diff')) keep(event.type, event)
    },
  }
}
