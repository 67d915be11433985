import type { CommandWord } from '../../command/model/decomposition.ts'
import { globalOptions } from '../../command/programs/global-options.ts'
import { type BinFolder, binFolders } from '../reading/bin-folders.ts'
import type { ProjectReader } from '../reading/project-reader.ts'
import {
  Finds,
  type Found,
  placeIn,
  quoted,
  type Runner,
  type RunnerInput,
  SettingsFinds,
  unclear,
} from '../reading/runner.ts'
import { findManifest, lineOfScript, type Manifest, membersOf, readManifest } from './manifest.ts'
import { oddSettings } from './package-settings.ts'

const RUN = /^(?:run|run-script|rum|urn)$/
/** Verbs that run the script of their own name, or of the full name. */
const OWN = new Map([
  ['test', 'test'],
  ['t', 'test'],
  ['tst', 'test'],
  ['start', 'start'],
  ['stop', 'stop'],
  ['restart', 'restart'],
])
const INSTALL = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
/** Verbs that run scripts of the project on the way. */
const LIFECYCLE = new Map<string, readonly string[]>([
  ...['install', 'i', 'in', 'ci', 'clean-install', 'install-test', 'it', 'cit', 'rebuild', 'rb'].map(
    (verb) => [verb, INSTALL] as const,
  ),
  ['version', ['preversion', 'version', 'postversion']],
  ['pack', ['prepack', 'prepare', 'postpack']],
  ['publish', ['prepublishOnly', 'prepack', 'prepare', 'postpack', 'publish', 'postpublish']],
])
/** Options whose value is the folder of the package. */
const FOLDER = /^(?:--prefix|-C|--dir|--cwd)(?:=(.*))?$/
const MEMBER = /^(?:-w|--workspace|--filter|-F)(?:=(.*))?$/
const EVERY_MEMBER = /^(?:--workspaces|-ws|-r|--recursive)$/
/** Options that change what runs, where the package manager writes, or which hosts it contacts. */
const CHANGES =
  /^--(?:script-shell|node-options|userconfig|globalconfig|shell|use-yarnrc|config|preload|require|cache|registry|modules-folder)\b/
const HARMLESS =
  /^--?(?:loglevel|silent|no-(?:audit|fund|color|progress)|save|save-dev|save-exact|D|E|S|frozen-lockfile|prefer-offline|production|omit|include)(?:=|$)/
interface Asked {
  readonly verb: string
  readonly scripts: readonly string[]
  /** Words given to the last script; null for an unknown one. */
  readonly given: readonly (string | null)[]
  readonly folder: string | null
  readonly members: readonly string[]
  readonly everyMember: boolean
  /** An option whose effect on scripts is not known. */
  readonly odd: string | null
}

/** npm, pnpm, yarn and bun: the scripts that a command runs, with those before and after them. */
export const seePackageScripts: Runner = async (input) => {
  const { part, program, folder, reader } = input
  const asked = readWords(program, part.args)
  if (asked === null) return program === 'npm' ? seeNpmSettings(folder, reader) : null
  if (asked === 'unknown') return unclear(`the script that ${program} runs is not known`)
  const at = asked.folder === null ? folder : await reader.resolve(asked.folder, folder)
  if (at === null) return unclear(`\`${asked.folder}\` is outside the workspace`)
  const root = await findManifest(at, reader)
  if ('why' in root) return unclear(root.why)
  const chosen = await chosenPackages(root, asked, reader)
  if (chosen === null) return unclear(`the workspaces of \`${root.file.shown}\` can’t be listed`)
  const finds = new Finds()
  if (asked.odd !== null) finds.opaque.push(`${program} has an option that may change how scripts run`)
  for (const folder of new Set([root, ...chosen].map((one) => one.folder)))
    finds.opaque.push(...(await oddSettings(program, folder, reader)))
  const pinned = root.packageManager
  if (pinned !== null && !/^\w+@[\w.+-]+$/.test(pinned)) finds.opaque.push('package.json names another package manager')
  for (const one of chosen) {
    const { bins, opaque } = await binFolders(one.folder, reader)
    const found = scriptsOf(one, bins, asked, input)
    finds.add(found)
    if (found.runs.length > 0) finds.opaque.push(...opaque)
  }
  return finds
}

/**
 * For a command that runs no script: nothing if no folder of the workspace has settings for npm. They could name a file to
 * write and a host to contact, and print the environment.
 */
async function seeNpmSettings(folder: string, reader: ProjectReader): Promise<Found | null> {
  for (let at = folder; reader.isInside(at); at = at.slice(0, Math.max(1, at.lastIndexOf('/')))) {
    const settings = await reader.read('.npmrc', at)
    if (settings.kind !== 'absent') return null
  }
  return new SettingsFinds()
}

async function chosenPackages(
  root: Manifest,
  asked: Asked,
  reader: ProjectReader,
): Promise<readonly Manifest[] | null> {
  if (asked.members.length === 0 && !asked.everyMember) return [root]
  const all = await membersOf(root, reader)
  if (all === null) return null
  if (asked.everyMember) return [...all, root]
  const chosen: Manifest[] = []
  for (const name of asked.members) {
    const byName = all.filter((one) => one.name === name)
    const byPath = byName.length > 0 ? null : await readManifest(`${root.folder}/${name}`, reader)
    if (byPath !== null && 'why' in byPath) return null
    if (byName.length === 0 && byPath === null) return null
    chosen.push(...byName, ...(byPath === null ? [] : [byPath]))
  }
  return chosen
}

function scriptsOf(one: Manifest, bins: readonly BinFolder[], asked: Asked, { part, program }: RunnerInput): Found {
  const finds = new Finds()
  for (const name of asked.scripts) {
    const names = LIFECYCLE.has(asked.verb) ? [name] : [`pre${name}`, name, `post${name}`]
    if (!one.scripts.has(name) && !LIFECYCLE.has(asked.verb) && !asked.everyMember)
      finds.opaque.push(`\`${one.file.shown}\` has no script \`${name.slice(0, 64)}\``)
    for (const script of names) {
      const text = one.scripts.get(script)
      if (text === undefined) continue
      const given = script === name ? asked.given : []
      if (given.includes(null)) finds.opaque.push(`${program} has unknown words`)
      const code = [text, ...given.flatMap((word) => (word === null ? [] : [quoted(word)]))].join(' ')
      finds.runs.push({ code, origin: placeIn(one.file, lineOfScript(one, script)), cwd: one.folder, bins })
    }
  }
  if (LIFECYCLE.get(asked.verb) === INSTALL) finds.opaque.push('packages can have install scripts')
  return part.assignments.some(({ name }) => /^npm_config_|^NODE_OPTIONS$/i.test(name))
    ? { ...finds, opaque: [...finds.opaque, 'a variable changes how scripts run'] }
    : finds
}

/** What the words ask for; null if no script of the project runs. */
function readWords(program: string, args: readonly CommandWord[]): Asked | 'unknown' | null {
  const options = globalOptions(program)
  const plain: CommandWord[] = []
  const members: string[] = []
  let folder: string | null = null
  let everyMember = false
  let odd: string | null = null
  let at = 0
  for (; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null || args[at]?.glob === true) return 'unknown'
    if (value === '--') break
    const inFolder = FOLDER.exec(value)
    const member = MEMBER.exec(value)
    if (inFolder !== null || member !== null) {
      const given = inFolder?.[1] ?? member?.[1] ?? args[++at]?.value ?? null
      if (given === null) return 'unknown'
      if (inFolder !== null) folder = given
      else members.push(given)
    } else if (EVERY_MEMBER.test(value)) everyMember = true
    else if (!value.startsWith('-')) plain.push(args[at] as CommandWord)
    else if (CHANGES.test(value) || options === undefined) odd = value
    else if (options.valued.has(value)) at++
    else if (!options.flags.has(value) && !HARMLESS.test(value)) odd = value
    // pnpm, yarn and bun give every word after the script to it.
    if (program !== 'npm' && isComplete(program, plain)) {
      at++
      break
    }
  }
  const rest = args.slice(args[at]?.value === '--' ? at + 1 : at)
  const words = plain.map(({ value }) => value ?? '')
  const wanted = scriptIn(program, words)
  if (wanted === null) return null
  // npm gives its own plain words to the script too.
  const given = [...words.slice(wanted.taken), ...rest.map(({ value, glob }) => (glob ? null : value))]
  const { verb, scripts } = wanted
  if (verb === 'pack' && odd === '--dry-run') odd = null
  return { verb, scripts, given: LIFECYCLE.has(verb) ? [] : given, folder, members, everyMember, odd }
}

function isComplete(program: string, plain: readonly CommandWord[]): boolean {
  return (
    scriptIn(
      program,
      plain.map(({ value }) => value ?? ''),
    ) !== null
  )
}

/** The scripts that the plain words name, and how many of the words it takes. */
function scriptIn(
  program: string,
  words: readonly string[],
): { readonly verb: string; readonly scripts: readonly string[]; readonly taken: number } | null {
  const [verb, name] = words
  if (verb === undefined) return program === 'yarn' ? { verb: 'install', scripts: INSTALL, taken: 0 } : null
  if (RUN.test(verb)) return name === undefined ? null : { verb: 'run', scripts: [name], taken: 2 }
  // `bun test` is bun's own test runner.
  const own = OWN.get(verb)
  if (own !== undefined && program !== 'bun')
    return { verb: 'run', scripts: own === 'restart' ? ['stop', 'restart', 'start'] : [own], taken: 1 }
  const scripts = LIFECYCLE.get(verb)
  if (scripts !== undefined) return { verb, scripts, taken: words.length }
  // The others run a script by its name alone, if it is no command of theirs.
  return program !== 'npm' && SCRIPT_NAME.test(verb) && !COMMANDS.has(verb)
    ? { verb: 'run', scripts: [verb], taken: 1 }
    : null
}

const SCRIPT_NAME = /^[\w:-]+$/
const COMMANDS = new Set(
  'add audit autoclean bin build cache config create dedupe deploy dlx doctor env exec fetch global help import info init init-v2 licenses link list login logout ls node npm outdated owner patch pm policies prune plugin rebuild remove root search set setup store tag team test unlink unplug up update upgrade upgrade-interactive version versions view whoami why workspace workspaces x repl completions discover'.split(
    ' ',
  ),
)
