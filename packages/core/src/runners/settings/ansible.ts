import type { ProjectFile } from '../reading/project-reader.ts'
import { lineAt, placeIn, type Runner, SettingsFinds } from '../reading/runner.ts'
import { seeScript } from '../scripts/script-file.ts'
import { namedFile, optionValues, readSettings } from './settings-file.ts'
import type { Setting } from './yaml-values.ts'

const MODULE = /^(?:ansible\.(?:builtin|legacy)\.)?(?:shell|command|raw|script)$/
const LOCAL = /^(?:localhost|127\.0\.0\.1|::1|local)$/
const PIPE = /(?:lookup|query|q)\(\s*(['"])(?:ansible\.builtin\.)?pipe\1\s*,\s*(['"])(.*?)\2/g
const PLUGINS =
  /^\s*(?:library|module_utils|\w+_plugins|ssh_executable|executable|become_exe|ssh_args|ssh_common_args)\s*=/m

/** ansible: the commands that a playbook runs on this machine, and scripts that list hosts or print a password. */
export const seeAnsible: Runner = async ({ part, program, folder, reader, bins }) => {
  const finds = new SettingsFinds()
  const config = await reader.read('ansible.cfg', folder)
  if (config.kind === 'opaque') finds.held.push(config.why)
  const text = config.kind === 'file' ? config.text : ''
  if (PLUGINS.test(text)) finds.opaque.push('`ansible.cfg` names plugins or programs')
  const set = [...text.matchAll(/^\s*(?:inventory|vault_password_file)\s*=\s*(\S+)/gm)].map(([, path = '']) => path)
  const scripts = [...optionValues(part.args, ['-i', '--inventory', '--vault-password-file']), ...set]
  for (const path of scripts) {
    if (path === null || path.includes(',')) continue
    const reading = await reader.read(path, folder)
    if (reading.kind === 'file' && reading.text.startsWith('#!'))
      finds.add(await seeScript(reading, part.cwd, { reader, bins }))
  }
  if (program !== 'ansible-playbook') return finds
  const isCheck = part.args.some(({ value }) => value === '--check' || value === '-C' || value === '--syntax-check')
  for (const { value } of part.args) {
    if (value === null || !/\.ya?ml$/.test(value) || value.startsWith('-')) continue
    const file = await namedFile(value, folder, reader, finds)
    if (file !== null) addTasks(file, isCheck, part.cwd, finds)
  }
  return finds
}

function addTasks(file: ProjectFile, isCheck: boolean, cwd: string | null, finds: SettingsFinds): void {
  // Lookups run while a template is filled in, also in check mode.
  for (const found of file.text.matchAll(PIPE))
    finds.runs.push({ code: inserted(found[3] ?? ''), origin: placeIn(file, lineAt(file.text, found.index)), cwd })
  const settings = readSettings(file, finds)
  const has = (path: readonly string[], key: string, shape: RegExp) =>
    settings.some((one) => one.path.join('\0') === [...path, key].join('\0') && shape.test(one.value))
  for (const { path, value, line } of settings) {
    const task = taskOf(path)
    if (task === null) continue
    const [play = ''] = path
    const isLocal = has([play], 'hosts', LOCAL) || has([play], 'connection', LOCAL) || has(task, 'delegate_to', LOCAL)
    if (!isLocal || (isCheck && !has(task, 'check_mode', /^(?:no|false)$/i))) continue
    finds.runs.push({ code: inserted(value), origin: placeIn(file, line), cwd })
  }
}

/** The path of the task whose command is at a path; null for another value. */
function taskOf(path: Setting['path']): readonly string[] | null {
  if (MODULE.test(path.at(-1) ?? '')) return path.slice(0, -1)
  return path.at(-1) === 'cmd' && MODULE.test(path.at(-2) ?? '') ? path.slice(0, -2) : null
}

function inserted(text: string): string {
  return text.replace(/\{\{[^}]*\}\}/g, '$__inserted')
}
