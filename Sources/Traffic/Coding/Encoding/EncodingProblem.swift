/// There was no memory to code with.
package struct EncodingProblem: Error {}
