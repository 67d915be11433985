import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import type { ProjectFile } from '../reading/project-reader.ts'
import { Finds, type Found, placeIn, type RunnerInput, unclear } from '../reading/runner.ts'

const NAMES = [
  'Taskfile.yml',
  'taskfile.yml',
  'Taskfile.yaml',
  'taskfile.yaml',
  'Taskfile.dist.yml',
  'Taskfile.dist.yaml',
]
const FLAG = /^(?:-f|--force|-s|--silent|-v|--verbose|-p|--parallel|-c|--color|-y|--yes)$/
const MAX_TASKS = 200
/** Keys that leave the commands as they are written. Others can change their folder, their variables or their shell. */
const PLAIN_KEYS: Readonly<Record<'file' | 'task' | 'command', ReadonlySet<string>>> = {
  file: new Set(['version', 'tasks', 'silent']),
  task: new Set(['cmds', 'cmd', 'deps', 'desc', 'summary', 'silent', 'aliases', 'status', 'preconditions']),
  command: new Set(['cmd', 'sh', 'task', 'defer', 'silent', 'msg']),
}

/** go-task: the commands of a task and of those it needs. */
export async function seeTask({ part, folder, reader }: RunnerInput): Promise<Found | null> {
  const words = part.args.map(({ value, glob }) => (glob ? null : value))
  if (words.includes(null)) return unclear('the task is not known')
  if (words.some((word) => /^(?:-l|--list|-a|--list-all|--summary|--version|--help|-h)$/.test(word ?? ''))) return null
  if (words.some((word) => word?.startsWith('-') && !FLAG.test(word))) return unclear('task has an unknown option')
  if ((await reader.read('.taskrc.yml', folder)).kind !== 'absent')
    return unclear('`.taskrc.yml` changes what task does')
  for (const name of NAMES) {
    const reading = await reader.read(name, folder)
    if (reading.kind === 'opaque') return unclear(reading.why)
    if (reading.kind !== 'file') continue
    const asked = words.filter((word) => word !== null && !word.startsWith('-') && !word.includes('='))
    return tasksOf(reading, asked.length === 0 ? ['default'] : (asked as readonly string[]), folder)
  }
  return unclear('there is no Taskfile in this folder')
}

function tasksOf(file: ProjectFile, asked: readonly string[], cwd: string): Finds {
  const finds = new Finds()
  const lines = new LineCounter()
  const document = parseDocument(file.text, { lineCounter: lines })
  const root = document.contents
  if (document.errors.length > 0 || !isMap(root)) {
    finds.opaque.push(`\`${file.shown}\` is not valid YAML`)
    return finds
  }
  if (root.has('includes') || root.has('dotenv')) finds.opaque.push(`\`${file.shown}\` loads other files`)
  const checkKeys = (map: YAMLMap, kind: keyof typeof PLAIN_KEYS): void => {
    const odd = map.items.find(({ key }) => !isScalar(key) || !PLAIN_KEYS[kind].has(String(key.value)))
    if (odd !== undefined) finds.opaque.push(`\`${file.shown}\` has keys that are not analyzed`)
  }
  checkKeys(root, 'file')
  visit(document, {
    Node: (_, node) => (isAlias(node) ? void finds.opaque.push('it repeats parts of itself') : undefined),
  })
  const tasks = root.get('tasks')
  const add = (node: unknown): void => {
    if (!isScalar(node) || typeof node.value !== 'string') return
    const line = lines.linePos(node.range?.[0] ?? 0).line
    // SECURITY: A28 what task inserts becomes code, also between quotes.
    if (node.value.includes('{{')) finds.opaque.push(`\`${file.shown}:${line}\` is computed by task`)
    finds.runs.push({ code: node.value.replace(/\{\{[^}]*\}\}/g, '$__inserted'), origin: placeIn(file, line), cwd })
  }
  const variables = (map: unknown): void => {
    if (isMap(map)) for (const { value } of map.items) if (isMap(value)) add(value.get('sh', true))
  }
  variables(root.get('vars'))
  variables(root.get('env'))
  const waiting = [...asked]
  const follow = (one: unknown, key: string): void => {
    if (isScalar(one) && key === 'deps') waiting.push(String(one.value))
    else if (isScalar(one)) add(one)
    else if (isMap(one)) {
      checkKeys(one, 'command')
      for (const name of ['cmd', 'sh', 'defer']) add(one.get(name, true))
      const task = one.get('task')
      if (typeof task === 'string') waiting.push(task)
    }
  }
  const known = new Set<string>()
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (known.has(name)) continue
    known.add(name)
    const task: unknown = isMap(tasks) ? tasks.get(name) : undefined
    if (task === undefined || known.size > MAX_TASKS) {
      finds.opaque.push(`\`${file.shown}\` has no task \`${name.slice(0, 64)}\``)
      continue
    }
    if (isMap(task)) {
      checkKeys(task, 'task')
      if (task.has('dir')) finds.opaque.push(`the task \`${name.slice(0, 64)}\` runs in another folder`)
      variables(task.get('vars'))
      variables(task.get('env'))
      add(task.get('cmd', true))
      for (const key of ['status', 'preconditions', 'cmds', 'deps'])
        for (const one of listOf(task, key)) follow(one, key)
    } else if (isSeq(task)) for (const one of task.items) follow(one, 'cmds')
    else add(isMap(tasks) ? tasks.get(name, true) : undefined)
  }
  return finds
}

function listOf(task: YAMLMap, key: string): readonly unknown[] {
  const list = task.get(key)
  return isSeq(list) ? list.items : []
}
