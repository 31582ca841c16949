// Package pins holds a lab's exported declarations to those of its stub, by the compiler.
//
// Beside each bridge stands a generated file of declarations such as
//
//	var _ func(int) *subject.Group = subject.New // New
//
// which compile only if the subject declares what the stub does. Generate writes that
// file from the types of the stub. Changes turns what the compiler says of it into
// words about the subject's own lines: the file itself is nothing that a learner knows.
//
// What is unexported is the learner's own, and so are further exported declarations. A
// pin does not notice a constraint that lets in more types than the stub's, or a
// function that became a variable: both can be used as before.
package pins

// subject is the name by which pins know the package under test.
const subject = "subject"
