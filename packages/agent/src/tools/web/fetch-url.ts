import { sizeWords } from '@countersign/core'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { boundedText } from '../definition/output-limit.ts'
import { toolFailure } from '../definition/tool-failure.ts'
import { type Answer, sendRequest } from './http-request.ts'

const MAX_REDIRECTS = 5
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Requests that carry no body. Servers differ in how they read one, and what follows it. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** `fetch_url`: one web request. */
export const fetchUrlTool = defineTool({
  name: 'fetch_url',
  description:
    'Sends one HTTP request and returns status and body as text, at most 1 MiB. Redirects to another host are not followed: request their URL instead.',
  input: z.strictObject({
    url: z.string().min(1).describe('An http or https URL.'),
    method: z.enum(METHODS).optional().describe('GET when absent.'),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional().describe('Not with GET, HEAD or OPTIONS.'),
  }),
  async run({ url, method = 'GET', headers = {}, body }, { signal }) {
    if (body !== undefined && BODILESS.has(method))
      throw toolFailure(`a ${method} request can’t have a body; use another method`)
    const odd = Object.entries(headers).find(([name, value]) => OURS.has(name.toLowerCase()) || !isHeader(name, value))
    if (odd !== undefined) throw toolFailure(`the header \`${odd[0].slice(0, 100)}\` cannot be set; leave it out`)
    let at = addressOf(url)
    const way: string[] = []
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await sendRequest({ url: at, method, headers, body }, signal)
      const next = redirectOf(answer, at)
      if (next === null) return [...way, answerText(answer)].join('\n')
      const reads = method === 'GET' || method === 'HEAD'
      // SECURITY: A7 the host was judged, the redirect target was not.
      if (!reads || !isSameHost(at, next))
        return [...way, `${answer.status} redirects to ${next.href}, which was not followed: request that URL`].join(
          '\n',
        )
      way.push(`redirected to ${next.href}`)
      at = next
    }
    throw toolFailure(`\`${url}\` redirects more than ${MAX_REDIRECTS} times; request the final URL`)
  },
})

/** SECURITY: A7 headers that would change the host or the end of the judged request. */
const OURS: ReadonlySet<string> = new Set(
  'host content-length transfer-encoding connection proxy-connection keep-alive te trailer upgrade expect accept-encoding'.split(
    ' ',
  ),
)

function isHeader(name: string, value: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value)
}

function addressOf(url: string): URL {
  const parsed = URL.parse(url)
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed
  throw toolFailure(`\`${url.slice(0, 200)}\` is not an http or https URL`)
}

function redirectOf({ status, location }: Answer, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null
  return URL.parse(location, from.href)
}

/** Also from http to https, never back. */
function isSameHost(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '' || to.hostname !== from.hostname) return false
  return (
    to.origin === from.origin ||
    (from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '')
  )
}

function answerText({ status, type, body, cut }: Answer): string {
  const head = `${status}${type === null ? '' : ` ${type}`}`
  const text = textOf(body)
  if (text === null) return `${head}\n[binary, ${sizeWords(body.length)}${cut ? ' and more' : ''}]`
  return `${head}\n${boundedText(text)}${cut ? '\n[the answer is larger than 1 MiB; the rest was not read]' : ''}`
}

function textOf(body: Buffer): string | null {
  return body.includes(0) ? null : body.toString('utf8')
}
