import { isAbsolute } from 'node:path'

/** Programs that run a script, or what they find where they are started. */
const INTERPRETERS =
  /^(?:node|nodejs|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|luajit|Rscript|julia|elixir|java|sh|bash|dash|ash|ksh|zsh|fish|csh|tcsh|nu|pwsh)$/
/** Programs that run what a project has, which is the one they are started in unless they are told of another. */
const TOOLS =
  /^(?:npm|pnpm|yarn|bun|deno|uv|poetry|pipenv|hatch|pdm|rye|pixi|conda|mamba|micromamba|bundle|rake|composer|make|just|task|cargo|go|mix|swift|dotnet|gradle|gradlew|mvn|mvnw|nix|nix-shell|devbox|direnv|mise|docker|podman|nerdctl|docker-compose|podman-compose)$/
/** Tools that hand nothing on to what they run but behind `--`: what stands before is theirs, wherever it does. */
const KEEPS_ALL = /^(?:npm|make|cargo|gradle|mvn)$/

/** Options that name the folder a tool goes by. */
const FOLDER_OPTION =
  /^(?:--(?:directory|prefix|cwd|dir|manifest-path|file|justfile|project-directory|package-path)|-C|-f)$/
/** The same, but what is run is still run where the tool was started. */
const PROJECT_OPTION = /^--project$/
/** Options with a word that says nothing of the place. */
const WITH_A_WORD =
  /^(?:--(?:python|with|with-editable|with-requirements|extra|group|index|index-url|env-file|filter|name|env)|-[pnjew])$/
/** Words behind which stands what is run. */
const VERB = /^(?:run|start|exec|task|compose|x)$/

/** What an interpreter loads before its script, in one word: a module is looked for where it is started. */
const LOADS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:python|pypy)/, /^-[A-Za-z]*[mc][^/]/],
  [
    /^(?:node|tsx|ts-node)/,
    /^(?:--(?:import|require|loader|experimental-loader|eval|print)=|-[rep])(?!$|file:|data:)[^/]/,
  ],
  [/^(?:ruby|perl)/, /^-[rIMe][^/]/],
]

/** Whether a program runs what it finds where it is started, unless it is told of another place. */
export function isRunner(name: string): boolean {
  return INTERPRETERS.test(name) || TOOLS.test(name)
}

/**
 * Whether a runner is told of a place that is the same in every folder: its script, or the folder it goes by. SECURITY: A20
 * only in words of its own: what a server is given as an argument says nothing of which program it is. `isSame` tells that
 * of a command that the runner starts.
 */
export function hasOwnPlace(
  name: string,
  rest: readonly string[],
  isSame: (command: readonly string[]) => boolean,
): boolean {
  if (!TOOLS.test(name)) return isScriptOwn(name, rest)
  let isProject = false
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    const [option = '', value = rest[at + 1] ?? ''] = word.split(/=(.*)/s)
    if (FOLDER_OPTION.test(option) && isAbsolute(value)) return true
    if (PROJECT_OPTION.test(option) && isAbsolute(value)) isProject = true
    const takes = FOLDER_OPTION.test(word) || PROJECT_OPTION.test(word) || WITH_A_WORD.test(word)
    if (takes) at += 1
    else if (word === '--') return isStarted(rest.slice(at + 1), isProject, isSame)
    else if (!word.startsWith('-') && !VERB.test(word) && !KEEPS_ALL.test(name))
      return isStarted(rest.slice(at), isProject, isSame)
  }
  return isProject
}

/** What a tool was told to run: a script by its whole path, or what a project of another place has under that name. */
function isStarted(
  command: readonly string[],
  isProject: boolean,
  isSame: (command: readonly string[]) => boolean,
): boolean {
  const [target = ''] = command
  return isAbsolute(target) || INTERPRETERS.test(target) ? isSame(command) : isProject
}

function isScriptOwn(name: string, rest: readonly string[]): boolean {
  const at = rest.findIndex((word) => !word.startsWith('-'))
  const loads = LOADS.some(([which, option]) => which.test(name) && rest.slice(0, at).some((word) => option.test(word)))
  return isAbsolute(rest[at] ?? '') && !loads
}
