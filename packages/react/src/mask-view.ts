import { type Json, type JsonObject, maskJson, maskText, type OpenedView, type Preview } from '@countersign/core'

/** A view to look at, with its secrets covered. Never signed: the bytes that are signed stay as they were. */
export interface MaskedView {
  readonly opened: OpenedView
  /** How many secrets are covered: none means that there is nothing to reveal. */
  readonly secrets: number
}

/** Covers the secrets of everything a surface shows of a call. */
export function maskView(opened: OpenedView): MaskedView {
  const { view, body } = opened
  const args = maskJson(body.call.args)
  const preview = maskJson(view.preview as unknown as Json)
  const said = view.said === null ? null : maskText(view.said).value
  const effect = maskText(view.effect)
  if (args.secrets + preview.secrets + effect.secrets === 0 && said === view.said) return { opened, secrets: 0 }
  const call = { ...body.call, args: args.value as JsonObject }
  return {
    opened: {
      ...opened,
      view: { ...view, preview: preview.value as unknown as Preview, effect: effect.value, said },
      body: { ...body, call },
    },
    secrets: Math.max(args.secrets, preview.secrets, 1),
  }
}
