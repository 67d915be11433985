import { type CheckInput, compileNameGlob, reachOf } from '@countersign/core'

/** Programs whose words are hosts too, also without a scheme: where they go cannot be told for sure. */
const FETCHERS: ReadonlySet<string> = new Set(
  'curl curlie wget http https xh xhs aria2c lynx w3m links elinks'.split(' '),
)
const URL_IN_WORD = /[a-z][a-z0-9+.-]{1,31}:\/\/[^\s'"`<>|;]+/gi
const LONGEST_WORD = 8_192

/**
 * Why a call may not fetch from where it would; null when it may. SECURITY: A7 whoever runs alone next to a service of
 * the machine or its network could read or steer it, so without a list only public hosts are allowed.
 */
export function boundHosts(hosts: readonly string[] | null): (input: CheckInput) => string | null {
  const isNamed = hosts?.map((host) => compileNameGlob(host.toLowerCase())) ?? null
  return (input) => {
    if (input.risk.parts.some(({ command }) => FETCHERS.has(command.program ?? ''))) return IN_A_COMMAND
    for (const url of urlsOf(input)) {
      const host = hostOf(url)
      if (host === null) return 'which host it would fetch from cannot be told'
      if (isNamed === null ? reachOf(host) !== 'public' : !isNamed.some((matches) => matches(host)))
        return `the task does not allow fetching from \`${host}\`; its \`hosts\` would have to name it`
    }
    return null
  }
}

const IN_A_COMMAND =
  'where this command fetches from cannot be told for sure; use `fetch_url`, or the task names the line in its `commands`'

function urlsOf({ call: { descriptor }, risk }: CheckInput): readonly string[] {
  const { url, urls = url === undefined ? [] : [url] } = descriptor
  const words = risk.parts.flatMap(({ command }) =>
    command.args.map(({ value }) => (value ?? '').slice(0, LONGEST_WORD)),
  )
  return [...urls, ...words.flatMap((word) => word.match(URL_IN_WORD) ?? [])]
}

/** In its one spelling, whatever the scheme: `0x7f.1` is 127.0.0.1. */
function hostOf(url: string): string | null {
  const host = URL.parse(url)?.hostname ?? ''
  return host === '' ? null : (URL.parse(`http://${host}`)?.hostname.replace(/\.+$/, '') ?? null)
}
