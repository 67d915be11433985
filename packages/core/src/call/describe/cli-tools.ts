import { byName, byTool } from '../names/name-cache.ts'
import { nameWords } from '../names/words.ts'

/** Tools that stand for a program, by the words of their name, and the program they run. */
const PROGRAMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    kubectl: 'kubectl',
    git: 'git',
    docker: 'docker',
    gh: 'gh',
    aws: 'aws',
    gcloud: 'gcloud',
    az: 'az',
    terraform: 'terraform',
    tofu: 'tofu',
    helm: 'helm',
    npm: 'npm',
    redis: 'redis-cli',
    valkey: 'redis-cli',
    psql: 'psql',
    ansible: 'ansible',
    heroku: 'heroku',
    vercel: 'vercel',
    wrangler: 'wrangler',
  }),
)
/** What may stand beside the program: `run_kubectl`, `aws_cli`, `execute_git_command`. */
const AROUND: ReadonlySet<string> = new Set('run call exec execute invoke cli command cmd tool use do'.split(' '))

/** The program a tool is named after, such as `kubectl` for `run_kubectl_command`; Redis also by its server's name. */
export function programOfTool(name: string, server = ''): string | undefined {
  return namesake(name, server)
}

const namesake = byTool((name, server): string | undefined => {
  const rest = nameWords(name).filter((word) => !AROUND.has(word))
  if (rest.length === 1) return PROGRAMS.get(rest[0] ?? '')
  // A store's commands are no programs, so that a shell is never taken for one.
  const isRedis = nameWords(server).some((word) => REDIS.has(word))
  return rest.length === 0 && isRedis ? 'redis-cli' : undefined
})

const REDIS: ReadonlySet<string> = new Set(['redis', 'valkey', 'keydb', 'dragonfly'])

const SHELL_WORDS: ReadonlySet<string> = new Set(
  'bash shell sh zsh terminal command commands cmd exec execute run ssh console process powershell pwsh script subprocess spawn popen'.split(
    ' ',
  ),
)

/** Whether a tool's name says that it runs commands, so that one word given to it is a program. */
export function isShellTool(name: string): boolean {
  return nameWords(name).some((word) => SHELL_WORDS.has(word))
}

const BARE_WORDS: ReadonlySet<string> = new Set(
  'system local remote host start invoke tool argv file async sync background'.split(' '),
)

/** Whether a tool does nothing but run commands, by every word of its name: `run_process`, `exec`, `spawn`. */
export const isBareShell: (name: string) => boolean = byName(
  (name) => isShellTool(name) && nameWords(name).every((word) => SHELL_WORDS.has(word) || BARE_WORDS.has(word)),
)

const LANGUAGES: ReadonlySet<string> = new Set(
  'python py python3 node nodejs javascript js typescript ts ruby perl php lua r java kotlin go rust sql jupyter ipython notebook browser page playwright puppeteer selenium webdriver chrome chromium firefox devtools webview stagehand browserbase'.split(
    ' ',
  ),
)

/** Whether a tool's `script` or `code` is in a language other than the shell's. */
export function runsOtherLanguage(name: string, language: unknown, server = ''): boolean {
  if (typeof language === 'string') return !/^(?:ba|z|k|da)?sh$|^shell$|^powershell$/i.test(language)
  return [...nameWords(name), ...nameWords(server)].some((word) => LANGUAGES.has(word))
}
