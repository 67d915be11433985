import { KUBECONFIG } from '../../knowledge/compiled/runners.ts'
import type { ProjectFile } from '../reading/project-reader.ts'
import { placeIn, quoted, type Runner, SettingsFinds } from '../reading/runner.ts'
import { isAtKey, namedFile, optionValues, readSettings } from './settings-file.ts'
import type { Setting } from './yaml-values.ts'

/** Kubeconfig files of the person or the machine, which no command of the project writes unasked. */
const OWN = /^(?:~\/\.kube\/|\/etc\/)(?!.*\.\.)/

/** kubectl, helm and others with a kubeconfig file: by the programs it names to get a credential. */
export const seeKubeconfig: Runner = async ({ part, folder, reader }) => {
  const variable = part.assignments.filter(({ name }) => name === 'KUBECONFIG')
  const named = [
    ...optionValues(part.args, ['--kubeconfig']),
    ...variable.flatMap(({ value }) => value?.split(':') ?? [null]),
  ].filter((path) => path === null || (path !== '' && !OWN.test(path)))
  if (named.length === 0) return null
  const finds = new SettingsFinds()
  for (const path of named) {
    const file = await namedFile(path, folder, reader, finds)
    if (file !== null) addPlugins(file, finds)
  }
  return finds
}

/** The commands of `users[].user.exec`, and of the older `auth-provider`. */
function addPlugins(file: ProjectFile, finds: SettingsFinds): void {
  const settings = readSettings(file, finds)
  const cwd = file.real.slice(0, file.real.lastIndexOf('/'))
  for (const setting of settings) {
    const origin = placeIn(file, setting.line)
    if (isAtKey(setting.path, 'users.*.user.auth-provider.config.cmd-path')) {
      const args = valueAt(settings, [...setting.path.slice(0, -1), 'cmd-args'])
      finds.runs.push({ code: `${quoted(setting.value)} ${args}`.trim(), origin, cwd })
    }
    if (!isAtKey(setting.path, 'users.*.user.exec.command')) continue
    if (KUBECONFIG.plugins.has(setting.value)) continue
    const exec = setting.path.slice(0, -1)
    const words = below(settings, exec, 'args').map(({ value }) => value)
    const env = below(settings, exec, 'env')
      .filter(({ path }) => path.at(-1) === 'name')
      .map(({ path, value }) => `${value}=${quoted(valueAt(settings, [...path.slice(0, -1), 'value']))}`)
    finds.runs.push({ code: [...env, ...[setting.value, ...words].map(quoted)].join(' '), origin, cwd })
  }
}

function below(settings: readonly Setting[], path: readonly string[], key: string): readonly Setting[] {
  const start = [...path, key].join('\0')
  return settings.filter((one) => one.path.join('\0').startsWith(`${start}\0`))
}

function valueAt(settings: readonly Setting[], path: readonly string[]): string {
  return settings.find((one) => one.path.join('\0') === path.join('\0'))?.value ?? ''
}
