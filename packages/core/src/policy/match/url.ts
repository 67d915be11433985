import { urlTarget } from '../../call/address/host.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { UrlTest } from '../model/rule.ts'
import type { Test } from './call-unit.ts'
import { compileNames } from './names.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

const METHOD_NAMES = ['method', 'http_method', 'httpMethod']
const BODY_NAMES = ['body', 'data', 'json', 'form', 'payload', 'files']

/** Compiles a test on the URL a call fetches. A URL that does not parse is unknown; so is a method nobody names. */
export function compileUrl(test: UrlTest): Test {
  const schemes = test.scheme?.map((scheme) => scheme.toLowerCase().replace(/:$/, ''))
  const isHost = test.host && compileNames(test.host)
  const methods = test.method?.map((method) => method.toUpperCase())
  return (_unit, about) => {
    const { url } = about.call.descriptor
    if (url === undefined) return NO
    const target = urlTarget(url)
    if (target.kind !== 'host') return UNKNOWN
    if (schemes && !schemes.includes(target.scheme)) return NO
    if (isHost && !isHost(target.host) && !isHost(`[${target.host}]`)) return NO
    if (!methods) return YES
    const method = methodOf(about.call)
    if (method === null) return UNKNOWN
    return methods.includes(method) ? YES : NO
  }
}

/** The method as an argument says; a plain fetch that sends nothing is a GET; else nobody knows. */
function methodOf(call: FrozenCall): string | null {
  const name = METHOD_NAMES.find((one) => Object.hasOwn(call.args, one))
  if (name !== undefined) {
    const value = call.args[name]
    return typeof value === 'string' ? value.trim().toUpperCase() : null
  }
  if (call.descriptor.kind !== 'fetch' && call.descriptor.kind !== 'read') return null
  return BODY_NAMES.some((one) => Object.hasOwn(call.args, one)) ? null : 'GET'
}
