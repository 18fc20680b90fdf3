declare const __VERSION__: string | undefined

/** Put in by the build; sources that run unbuilt are nobody's release. */
export const VERSION: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-source'
