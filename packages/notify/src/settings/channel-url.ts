import { isThisMachine, reachOf } from '@countersign/core'

/** The topics of ntfy. */
const TOPIC = /^\/[A-Za-z0-9_-]{1,64}$/

/** What is wrong with a channel's URL; null if it is valid. */
export function urlProblem(text: string, kind: 'ntfy' | 'webhook', isPrivateAllowed: boolean): string | null {
  const url = URL.parse(text)
  if (url === null) return 'must be a URL such as https://ntfy.sh/your-topic'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url.hostname)))
    return 'must be https: only this machine may be reached without TLS'
  if (url.username !== '' || url.password !== '') return 'must not contain a password; use `token`'
  if (url.hash !== '') return 'must not have a `#` part'
  if (kind === 'ntfy' && (!TOPIC.test(url.pathname) || url.search !== ''))
    return 'must be a server and one topic, such as https://ntfy.sh/your-topic'
  return hostProblem(url.hostname, isPrivateAllowed)
}

/** SECURITY: a host in a private network is reached only if the person named it as such. A name is looked up when it is used. */
export function hostProblem(host: string, isPrivateAllowed: boolean): string | null {
  switch (reachOf(host)) {
    case 'metadata':
      return 'is a cloud metadata service, which is never contacted'
    case 'private':
      return isPrivateAllowed ? null : 'is in a private network; to use it, pass `--private`'
    case 'loopback':
    case 'public':
      return null
  }
}
