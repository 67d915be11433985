import type { ShellWord } from '../expansion/words.ts'
import { findVerbIndex } from '../programs/subcommand.ts'
import { type Inner, joinedCode } from './nested-command.ts'

/** Settings whose value git runs; for aliases and helpers only what follows `!`. */
const RUN_SETTINGS =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|pager\.\w+|diff\.[^=]{1,64}\.(?:command|textconv)|filter\.[^=]{1,64}\.(?:clean|smudge|process)|merge\.[^=]{1,64}\.driver|(?:difftool|mergetool|browser|man)\.[^=]{1,64}\.cmd|gpg(?:\.\w+)?\.program|interactive\.difffilter|uploadpack\.packobjectshook)$/i
const BANG_SETTINGS = /^(?:alias\.|credential\.(?:.{1,128}\.)?helper$|submodule\..{1,64}\.update$)/i

/** Values with which nothing of interest runs. */
const SWITCHED_OFF: ReadonlySet<string> = new Set(['true', 'false', 'cat', ':'])

/** Options whose value is shell code, by verb; `*` for every verb. */
const CODE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['rebase', ['-x', '--exec']],
  ['difftool', ['-x', '--extcmd']],
  [
    'filter-branch',
    '--setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter'.split(
      ' ',
    ),
  ],
  ['grep', ['-O', '--open-files-in-pager']],
  ['clone', ['-u', '--upload-pack']],
  ['*', ['--upload-pack', '--receive-pack']],
])

/** Commands that git runs: aliases, pagers, filters, and commands to repeat. */
export function gitCommands(args: readonly ShellWord[]): readonly Inner[] {
  const at = findVerbIndex('git', args)
  const inner: Inner[] = []
  if (at !== 0) settings(args.slice(0, at ?? args.length), inner)
  if (at === null) return inner
  const verb = args[at]?.value ?? ''
  const rest = args.slice(at + 1)
  if (verb === 'bisect' && rest[0]?.value === 'run') inner.push(words('git bisect run', rest.slice(1)))
  else if (verb === 'submodule' && rest[0]?.value === 'foreach') {
    const command = rest
      .slice(1)
      .filter(({ value }, index) => index > 0 || (value !== '--recursive' && value !== '--quiet'))
    if (command.length > 0) inner.push(joinedCode('git submodule foreach', command))
  } else if (verb === 'config') configured(rest, inner)
  codeOptions(verb, rest, inner)
  for (const { value } of rest) if (value?.startsWith('ext::') === true) inner.push(code('git ext::', value.slice(5)))
  return inner
}

const words = (label: string, list: readonly ShellWord[]): Inner => ({ kind: 'words', label, words: list })
const code = (label: string, text: string, known = true): Inner => ({ kind: 'code', label, text, known })

/** `-c name=value` before the verb. */
function settings(before: readonly ShellWord[], inner: Inner[]): void {
  before.forEach((word, at) => {
    const given = word.value === '-c' ? before[at + 1] : undefined
    const equals = given?.template.indexOf('=') ?? -1
    if (given === undefined || equals === -1) return
    setting(given.template.slice(0, equals), given.template.slice(equals + 1), given.value !== null, inner)
  })
}

function setting(name: string, value: string, known: boolean, inner: Inner[]): void {
  if (value === '' || name.length > 256) return
  if (BANG_SETTINGS.test(name)) {
    if (value.startsWith('!')) inner.push(code(`git ${name.slice(0, 40)}`, value.slice(1), known))
  } else if (RUN_SETTINGS.test(name) && !SWITCHED_OFF.has(value)) {
    inner.push(code(`git ${name.slice(0, 40)}`, value, known))
  }
}

/** `git config name value`: the value runs later. */
function configured(rest: readonly ShellWord[], inner: Inner[]): void {
  const plain = rest.filter(({ value }) => value?.startsWith('--') !== true && value !== 'set')
  const [name, value] = plain
  if (name?.value != null && value !== undefined) setting(name.value, value.template, value.value !== null, inner)
}

function codeOptions(verb: string, rest: readonly ShellWord[], inner: Inner[]): void {
  if (rest.length === 0) return
  const names = [...(CODE_OPTIONS.get(verb) ?? []), ...(CODE_OPTIONS.get('*') ?? [])]
  rest.forEach((word, at) => {
    const name = word.template.startsWith('-') ? names.find((one) => word.template.startsWith(one)) : undefined
    if (name === undefined) return
    const after = word.template.slice(name.length)
    const long = name.startsWith('--')
    if (after === '') {
      const next = rest[at + 1]
      if (next !== undefined && name !== '-O')
        inner.push(code(`git ${verb} ${name}`, next.template, next.value !== null))
    } else if (!long || after.startsWith('='))
      inner.push(code(`git ${verb} ${name}`, long ? after.slice(1) : after, word.value !== null))
  })
}
