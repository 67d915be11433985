import {
  type HeldCallView,
  type Json,
  type JsonObject,
  maskJson,
  type OpenedView,
  type Preview,
} from '@countersign/core'

/** A view to look at: the same, with secrets covered. Never signed; the bytes that are signed stay as they were. */
export interface MaskedView {
  readonly opened: OpenedView
  /** How many secrets are covered: none means that there is nothing to reveal. */
  readonly secrets: number
}

/** Covers the secrets of everything a card and its details show of the call. */
export function maskView(opened: OpenedView): MaskedView {
  const { view, body } = opened
  const args = maskJson(body.call.args)
  const preview = maskJson(view.preview as unknown as Json)
  const { effect, risk, verdict, findings, said } = view
  const words = maskJson({ effect, risk, verdict, findings, said } as unknown as Json)
  if (args.secrets + preview.secrets + words.secrets === 0) return { opened, secrets: 0 }
  const shown: HeldCallView = {
    ...view,
    ...(words.value as unknown as Pick<HeldCallView, 'effect' | 'risk' | 'verdict' | 'findings' | 'said'>),
    preview: underNames(preview.value as unknown as Preview, args.value as JsonObject),
  }
  return {
    opened: { ...opened, view: shown, body: { ...body, call: { ...body.call, args: args.value as JsonObject } } },
    secrets: Math.max(args.secrets, preview.secrets, 1),
  }
}

/** A field's value stands under `value`: what its own name says of it is known from the arguments. */
function underNames(preview: Preview, args: JsonObject): Preview {
  if (preview.kind !== 'arguments') return preview
  return { ...preview, fields: preview.fields.map((one) => ({ ...one, value: args[one.name] ?? one.value })) }
}
