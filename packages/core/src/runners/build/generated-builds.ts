import type { CommandWord } from '../../command/model/decomposition.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { Finds, lineAt, placeIn, type Runner, type RunnerInput, unclear } from '../reading/runner.ts'

const MAX_FILES = 32

/** cmake: the commands that CMakeLists.txt runs while it configures or builds. */
export const seeCmake: Runner = async (input) => {
  const { part, folder, reader } = input
  const words = part.args.map(({ value }) => value)
  if (words.includes(null)) return unclear('the folder of the project is not known')
  if (words.some((word) => /^(?:-E|--help.*|--version)$/.test(word ?? ''))) return null
  if (words.some((word) => /^-(?:P|C)$|^--(?:preset|workflow|install|open)/.test(word ?? '')))
    return unclear('cmake runs a script or uses a preset')
  const generated = valueAfter(part.args, '--build')
  if (generated !== null) return seeBuildFolder(generated, input)
  const isValue = (at: number) => /^-[SBGDTAtj]$/.test(words[at - 1] ?? '')
  const plain = words.find((word, at) => word?.startsWith('-') === false && !isValue(at))
  const source = valueAfter(part.args, '-S') ?? plain ?? '.'
  const finds = await cmakeFiles(`${source}/CMakeLists.txt`, folder, reader)
  const odd = words.find((word, at) => word?.startsWith('-') === true && !isValue(at) && !CMAKE_OPTION.test(word))
  if (odd !== undefined) finds.opaque.push('cmake has an option that may load other code')
  // Settings that cmake reads without being told.
  const built = valueAfter(part.args, '-B') ?? '.'
  for (const path of [`${built}/CMakeCache.txt`, `${built}/PreLoad.cmake`, `${source}/PreLoad.cmake`])
    if ((await reader.read(path, folder)).kind !== 'absent') finds.opaque.push(`\`${path.slice(0, 80)}\` sets more`)
  if (/[^\w/-]/.test(built) && built !== '.') finds.opaque.push('the folder that cmake builds in has an unusual name')
  return finds
}

const CMAKE_OPTION = /^-(?:S|B|G|W(?:no-)?dev)/
/** Calls that only name targets or print. Every other one, and every other form of those below, is not followed. */
const CMAKE_PLAIN =
  /^[ \t]*(?:cmake_minimum_required[ \t]*\([\w .]*\)|project[ \t]*\([\w .-]*\)|message[ \t]*\((?:STATUS )?"[\w .,:!-]*"\)|enable_testing[ \t]*\(\)|add_subdirectory[ \t]*\([\w-]+\)|include[ \t]*\([\w-]+\.cmake\)|(?:execute_process|add_custom_target)[ \t]*\((?:[\w-]+ )?COMMAND(?: (?!\.\.|\S*\/\.\.|[A-Z])[\w./:=-]+)+\))?[ \t]*(?:#(?!\[).*)?$/

/** What `cmake --build` starts: ninja, or make, which reads more than it is worth to follow. */
async function seeBuildFolder(built: string, { folder, reader }: RunnerInput): Promise<Finds> {
  const reading = await reader.read(`${built}/build.ninja`, folder)
  const real = await reader.resolve(built, folder)
  const finds = reading.kind === 'file' && real !== null ? await ninjaFile(reading, real, reader) : new Finds()
  finds.opaque.push('what it builds is generated')
  return finds
}

async function cmakeFiles(path: string, folder: string, reader: ProjectReader): Promise<Finds> {
  const finds = new Finds()
  const waiting = [{ path, folder }]
  for (let count = 0; waiting.length > 0; count++) {
    const next = waiting.shift()
    if (next === undefined) break
    const reading = count < MAX_FILES ? await reader.read(next.path, next.folder) : null
    if (reading?.kind !== 'file') {
      finds.opaque.push(reading?.kind === 'opaque' ? reading.why : `\`${next.path.slice(0, 80)}\` can’t be read`)
      continue
    }
    const at = reading.real.slice(0, reading.real.lastIndexOf('/'))
    for (const path of cmakeCommands(reading, at, finds)) waiting.push({ path, folder: at })
  }
  return finds
}

const CALL =
  /^[ \t]*(execute_process|exec_program|add_custom_command|add_custom_target|include|add_subdirectory|file|fetchcontent_\w+|externalproject_\w+|cmake_language|try_run|find_program)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)/gim

/** Adds the commands of one file; returns the files that it loads. */
function cmakeCommands(file: ProjectFile, cwd: string, finds: Finds): readonly string[] {
  const more: string[] = []
  const odd = file.text.split('\n').findIndex((line) => !CMAKE_PLAIN.test(line))
  if (odd !== -1) finds.opaque.push(`\`${file.shown}:${odd + 1}\` is not analyzed`)
  // What an included file names is relative to another folder.
  if (!file.real.endsWith('/CMakeLists.txt') && /include|add_subdirectory/i.test(file.text))
    finds.opaque.push(`\`${file.shown}\` loads other files`)
  for (const call of file.text.matchAll(CALL)) {
    const [, name = '', inside = ''] = call
    const origin = placeIn(file, lineAt(file.text, call.index))
    const kind = name.toLowerCase()
    const words = inside.replace(/#[^\n]*/g, '').match(/"[^"]*"|[^\s"]+/g) ?? []
    const first = words[0]?.replace(/^"|"$/g, '') ?? ''
    if (kind === 'include' && /\.cmake$/.test(first)) more.push(first)
    else if (kind === 'add_subdirectory') more.push(`${first}/CMakeLists.txt`)
    else if (
      /^(?:fetchcontent|externalproject|cmake_language|try_run)/.test(kind) ||
      (kind === 'file' && /^(?:DOWNLOAD|UPLOAD|REMOVE)/i.test(first))
    )
      finds.opaque.push(`\`${origin.file}:${origin.line}\` downloads, deletes or runs something that is computed`)
    else if (/^(?:exec|add_custom)/.test(kind))
      for (const command of inside.split(/\bCOMMAND\b/).slice(1)) {
        const own = command.split(
          /\b(?:COMMAND|WORKING_DIRECTORY|RESULT_VARIABLE|OUTPUT_VARIABLE|ERROR_VARIABLE|OUTPUT|DEPENDS|COMMENT|VERBATIM|TIMEOUT|OUTPUT_QUIET|ERROR_QUIET|OUTPUT_STRIP_TRAILING_WHITESPACE|BYPRODUCTS|ARGS|TARGET|PRE_BUILD|POST_BUILD|COMMAND_ERROR_IS_FATAL|INPUT_FILE|ECHO_\w+)\b/,
        )[0]
        finds.runs.push({ code: (own ?? '').replace(/\s+/g, ' ').trim(), origin, cwd })
      }
  }
  return more
}

/** Lines whose meaning is plain: others could name files that ninja writes, creates or deletes by itself. */
const NINJA_PLAIN =
  /^(?:#.*| *|rule [\w.-]+|pool [\w.-]+|default [\w./ -]+|(?:include|subninja) (?!\/|.*\.\.)[\w./-]+|build (?:(?!\/|\S*\.\.|\S*\.ninja\b)[\w./-]+ ?)+: [\w.-]+(?: [\w./-]+| \|{1,2})*| +(?:command|description|restat|generator|pool|depth) *=.*|ninja_required_version *=.*)$/

/** ninja: every command of its rules. Which of them run depends on what changed. */
export const seeNinja: Runner = async ({ part, folder, reader }) => {
  const words = part.args.map(({ value }) => value)
  if (words.includes(null) || words.some((word) => word?.startsWith('-t')))
    return unclear('ninja may run or delete files')
  const at = await reader.resolve(valueAfter(part.args, '-C') ?? '.', folder)
  const reading = at === null ? null : await reader.read(valueAfter(part.args, '-f') ?? 'build.ninja', at)
  if (at === null || reading?.kind !== 'file')
    return unclear(reading?.kind === 'opaque' ? reading.why : 'there is no build.ninja')
  return ninjaFile(reading, at, reader)
}

async function ninjaFile(file: ProjectFile, cwd: string, reader: ProjectReader): Promise<Finds> {
  const finds = new Finds()
  const waiting = [file]
  for (let count = 0; waiting.length > 0 && count < MAX_FILES; count++) {
    const next = waiting.shift()
    if (next === undefined) break
    const text = next.text.replace(/\$\n[ \t]*/g, ' ')
    const odd = text.split('\n').findIndex((line) => !NINJA_PLAIN.test(line))
    if (odd !== -1) finds.opaque.push(`\`${next.shown}\` has a line that is not analyzed: ${odd + 1}`)
    if (text.includes('$')) finds.opaque.push(`\`${next.shown}\` has commands that are computed`)
    for (const found of text.matchAll(/^[ \t]+command[ \t]*=[ \t]*(.*)$/gm)) {
      const code = (found[1] ?? '')
        .replaceAll('$$', '\0')
        .replace(/\$\{?[\w.-]+\}?/g, '$__value')
        .replaceAll('\0', '$')
      finds.runs.push({ code, origin: placeIn(next, lineAt(text, found.index)), cwd })
    }
    for (const [, path = ''] of text.matchAll(/^(?:include|subninja)[ \t]+(\S+)/gm)) {
      const reading = await reader.read(path, cwd)
      if (reading.kind === 'file') waiting.push(reading)
      else finds.opaque.push(`\`${path.slice(0, 80)}\` can’t be read`)
    }
  }
  if (waiting.length > 0) finds.opaque.push('it includes too many files')
  return finds
}

function valueAfter(args: readonly CommandWord[], option: string): string | null {
  const at = args.findIndex(({ value }) => value === option)
  if (at !== -1) return args[at + 1]?.value ?? null
  const joined = args.find(({ value }) => value?.startsWith(option) === true && value.length > option.length)?.value
  return joined?.slice(option.length).replace(/^=/, '') ?? null
}
