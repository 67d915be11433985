export { interpreterOf } from '../../command/code/inline-code.ts'
