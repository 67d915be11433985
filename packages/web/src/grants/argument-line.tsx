import { type JsonObject, maskJson, Safe } from '@countersign/react'
import { type ReactNode, useMemo } from 'react'

const LONGEST = 240

/** Arguments in a line or two, so that two calls of a tool can be told apart; what is longer ends in `…`. */
export function ArgumentLine({ args }: { readonly args: JsonObject }): ReactNode {
  const text = useMemo(() => {
    const { value } = maskJson(args)
    const all = Object.entries(value as JsonObject)
      .map(([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
      .join(' · ')
    return all.length > LONGEST ? `${all.slice(0, LONGEST).toWellFormed()}…` : all
  }, [args])
  if (text === '') return null
  return (
    <code className="argument-line">
      <Safe text={text} />
    </code>
  )
}
